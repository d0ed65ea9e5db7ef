/** Whether the window has room for the wide layouts. */

const wide = globalThis.matchMedia?.("(width >= 900px)");
let isWideNow = $state(wide?.matches ?? true);
wide?.addEventListener("change", (event) => (isWideNow = event.matches));

export const isWide = (): boolean => isWideNow;
