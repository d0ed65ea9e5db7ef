// @blackjacktrainer/blackjack-simulator: basic strategy, eight decks dealt from a shoe.
global.self = global; // its bundle expects a browser
const path = require("path");
const folder = path.join(process.argv[2], "node_modules", "@blackjacktrainer", "blackjack-simulator");
const { version } = require(path.join(folder, "package.json"));
const { Simulator } = require(path.join(folder, "dist", "main.js"));
// strategy 1 is basic strategy without index plays
const settings = { hands: 3e6, playerStrategy: 1, deckCount: 8, hitSoft17: false, allowLateSurrender: false };
const start = process.cpuUsage();
new Simulator(settings).run();
const used = process.cpuUsage(start);
const rate = settings.hands / ((used.user + used.system) / 1e6);
console.log(JSON.stringify({ version, what: "basic strategy, eight decks, shoe dealt down", rate }));
