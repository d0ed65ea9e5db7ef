import svelte from "eslint-plugin-svelte";
import globals from "globals";
import tseslint from "typescript-eslint";

import svelteConfig from "./svelte.config.js";

export default tseslint.config(
  { ignores: ["node_modules/", "src/api/schema.d.ts"] },
  ...tseslint.configs.strict,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: tseslint.parser, svelteConfig } },
  },
  {
    rules: {
      "max-lines": ["error", 400],
      "@typescript-eslint/no-unused-vars": ["error", { varsIgnorePattern: "^_$", argsIgnorePattern: "^_$" }],
      "max-lines-per-function": ["error", { max: 70, skipBlankLines: true, skipComments: true }],
      "no-restricted-syntax": ["error", { selector: "CallExpression[callee.name='eval']", message: "no eval" }],
      // Links of the pages are hashes; there is no base path to resolve.
      "svelte/no-navigation-without-resolve": "off",
    },
  },
  { files: ["tests/**"], rules: { "max-lines-per-function": "off" } },
);
