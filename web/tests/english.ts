/** The tests of the pages' parts speak English. */

import { speak } from "../src/texts";

await speak("en");
