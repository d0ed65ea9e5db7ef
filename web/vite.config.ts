import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The server gives the pages from inside the package, so that is where they are built to.
const PACKAGE = "../src/pairhouse/server/static";
// `npm run dev` shows the pages with hot reload against a server that runs already (`pairhouse serve`).
const SERVER = process.env["PAIRHOUSE_SERVER"] ?? "http://127.0.0.1:8123";
const ROUTES = ["/guests", "/players", "/sessions", "/games", "/tables", "/rounds", "/health", "/policy"];
// Few files instead of dozens of small ones: each costs a phone its headers. Whatever shows words is loaded after the
// language is chosen, and nobody loads two languages.
const CHUNKS = [
  { name: "en", test: /src\/texts\/en\/(?!pit|tour)/, priority: 3 },
  { name: "words", test: /node_modules|src\/texts\/(index|plural|house|en\/tour)|src\/state\/options/, priority: 4 },
  { name: "table", test: /src\/(tables\/(Felt|felts|Seat|Stage|anygame)|parts\/(Spot|Stack|Chip|Cards|Paytable|Prompt|Tag|Tabs|Road|Shoe|Actions|Rack|Status|Table|Ears|InfoPanel|keys|layout)|live\/|roads|pages\/TablePage)/, priority: 2 },
  { name: "house", test: /src\/(state|care|api|sound|App|pages\/Lobby|parts\/(Notice|Dialog|Account|Card|Court|Emblem|LobbyHead|SessionEnd|CalledOff))/, priority: 1 },
];

export default defineConfig({
  base: "./",
  plugins: [svelte()],
  build: {
    outDir: PACKAGE,
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { advancedChunks: { groups: CHUNKS } } },
  },
  server: { proxy: Object.fromEntries(ROUTES.map((route) => [route, SERVER])) },
});
