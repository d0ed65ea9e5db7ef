import { expect, it } from "vitest";

import { volumeOf } from "../src/sound";

it("is louder with every step of the volume, and silent at 0", () => {
  const gains = Array.from({ length: 21 }, (_, step) => volumeOf(5 * step));
  expect(gains[0]).toBe(0);
  expect(gains[14]).toBe(1);
  expect(gains.every((gain, step) => step === 0 || gain > (gains[step - 1] ?? 0))).toBe(true);
});
