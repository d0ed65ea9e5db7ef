/** What lies over a table when it is asked for; loaded then, or while nothing else is to do. */

export const SHEETS = {
  options: () => import("./Options.svelte"),
  layouts: () => import("./Layouts.svelte"),
  fairness: () => import("./Fairness.svelte"),
  liveFairness: () => import("../live/LiveFairness.svelte"),
  tour: () => import("./Tour.svelte"),
  coach: () => import("./CoachPanel.svelte"),
  rules: () => import("../pages/Rules.svelte"),
  history: () => import("../pages/History.svelte"),
};
