// baccarat-engine: eight decks dealt from a shoe, results without wagers.
const path = require("path");
const folder = path.join(process.argv[2], "node_modules", "baccarat-engine");
const { version } = require(path.join(folder, "package.json"));
const Engine = require(path.join(folder, "src", "gameEngine", "baccaratGameEngine"));
const engine = new Engine();
engine.shoe.createDecks();
engine.shoe.shuffle();
engine.burnCards();
let rounds = 0;
const start = process.cpuUsage();
let used = 0;
while (used < 3e6) {
  for (let i = 0; i < 500; i += 1) {
    if (engine.isBurnNeeded) {
      engine.shoe.shuffle();
      engine.burnCards();
    }
    engine.resultsEngine.calculateGameResult(engine.dealGame());
    rounds += 1;
  }
  const now = process.cpuUsage(start);
  used = now.user + now.system;
}
console.log(JSON.stringify({ version, what: "coups from a shoe, winner and pairs only", rate: rounds / (used / 1e6) }));
