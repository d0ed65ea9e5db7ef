import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

import { house as german } from "./src/texts/de/house";

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

// The house tells shared rounds in the languages of the pages: what it says at its tables, by key, for the server to read.
const translations: Plugin = {
  name: "translations",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "translations/de.json", source: JSON.stringify(german) });
  },
};

// Smaller than the server can make them, and so slow to make that it is done once.
const compressed: Plugin = {
  name: "compressed",
  writeBundle({ dir = PACKAGE }) {
    const assets = join(dir, "assets");
    for (const name of readdirSync(assets).filter((one) => /\.(js|css)$/.test(one))) {
      writeFileSync(join(assets, `${name}.br`), brotliCompressSync(readFileSync(join(assets, name))));
    }
  },
};

export default defineConfig({
  base: "./",
  plugins: [svelte(), translations, compressed],
  build: {
    outDir: PACKAGE,
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { advancedChunks: { groups: CHUNKS } } },
  },
  server: { proxy: Object.fromEntries(ROUTES.map((route) => [route, SERVER])) },
});
