import { expect, test } from "vitest";
import { adjust } from "../src/modules/adjust";
import { readHSL, readHex, readPair, readRGB } from "../src/modules/read-color";
import { assertString } from "../src/modules/utils";

function complaint(call: () => unknown): string {
  try {
    return `no complaint: ${String(call())}`;
  } catch (error) {
    const { message, name } = error as Error;

    return `${name}: ${message}`;
  }
}

test("assertString complains in colorizr's name", () => {
  expect(complaint(() => assertString(12))).toBe("colorizr: input is required and must be a string");
  expect(complaint(() => assertString(null, "a word is wanted"))).toBe("colorizr: a word is wanted");
});

test("assertString lets strings pass", () => {
  expect(complaint(() => assertString(""))).toBe("no complaint: undefined");
});

test("readHex gives the hex of whatever CSS knows", () => {
  expect(readHex("Peru")).toBe("#cd853f");
  expect(readHex("hsl(207, 31%, 46%)")).toBe("#51799a");
  expect(readHex("#C4D8")).toBe("#C4D8");
});

test("readHex complains", () => {
  expect(complaint(() => readHex(undefined as never))).toBe("colorizr: input is required and must be a string");
  expect(complaint(() => readHex("no such color"))).toBe("colorizr: invalid CSS string");
});

test("readRGB and readHSL go by the hex", () => {
  expect(readRGB("rgb(201, 96, 17)")).toEqual({ b: 17, g: 96, r: 201 });
  expect(readHSL("hsl(207, 31%, 46%)")).toEqual({ h: 207.12, l: 46.08, s: 31.06 });
});

test("readPair gives both readings in order", () => {
  expect(readPair("peru", "#c4d", readHex)).toEqual(["#cd853f", "#c4d"]);
  expect(readPair("abc", "de", (text: string) => text.length * 7)).toEqual([21, 14]);
});

test("readPair checks both before it reads one", () => {
  expect(complaint(() => readPair("no such color", 8 as never, readRGB))).toBe("colorizr: right is required and must be a string");
  expect(complaint(() => readPair(8 as never, 8 as never, readRGB))).toBe("colorizr: left is required and must be a string");
});

test("adjust changes one channel", () => {
  expect(adjust("#37648c", "l", value => value / 2)).toBe("#1c3246");
  expect(adjust("peru", "h", () => 200)).toBe("#3f9ecd");
  expect(adjust("hsl(207, 31%, 46%)", "s", value => value + 40)).toBe("#227ec9");
});

test("adjust hands the channel of the hex to its function", () => {
  const seen: number[] = [];
  const result = adjust("hsl(207, 31%, 46%)", "s", value => {
    seen.push(value);

    return 50;
  });

  expect([result, ...seen]).toEqual(["#3b7bb0", 31.06]);
});
