import "./felt.css";
import { mount } from "svelte";
import { options } from "./state/options.svelte";
import { languageOf, speak, t } from "./texts";

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no place for the tables");
await speak(languageOf(options.language, navigator.languages));
document.documentElement.lang = t.locale;
const { default: App } = await import("./App.svelte");
mount(App, { target });

// The shell is kept for a slow or lost line; without it everything works, only not so soon.
if ("serviceWorker" in navigator && !import.meta.env.DEV) void navigator.serviceWorker.register("./sw.js").catch(() => undefined);
