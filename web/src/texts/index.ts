import { en, type Texts } from "./en";

/** The words in force. A second language would be chosen here. */
export const t: Texts = en;
