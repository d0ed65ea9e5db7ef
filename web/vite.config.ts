import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The server gives the pages from inside the package, so that is where they are built to.
const PACKAGE = "../src/pairhouse/server/static";
// `npm run dev` shows the pages with hot reload against a server that runs already (`pairhouse serve`).
const SERVER = process.env["PAIRHOUSE_SERVER"] ?? "http://127.0.0.1:8123";
const ROUTES = ["/guests", "/players", "/sessions", "/games", "/tables", "/rounds", "/health", "/policy"];

export default defineConfig({
  base: "./",
  plugins: [svelte()],
  build: { outDir: PACKAGE, emptyOutDir: true, target: "es2022", modulePreload: { polyfill: false } },
  server: { proxy: Object.fromEntries(ROUTES.map((route) => [route, SERVER])) },
});
