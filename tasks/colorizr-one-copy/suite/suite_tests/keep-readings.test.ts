import { expect, test } from "vitest";
import brightnessDifference from "../src/brightness-difference";
import chroma from "../src/chroma";
import colorDifference from "../src/color-difference";
import compare from "../src/compare";
import contrast from "../src/contrast";
import formatCSS from "../src/format-css";
import Colorizr from "../src/index";
import luminance from "../src/luminance";
import parseColor from "../src/modules/parse-color";
import name from "../src/name";
import parseCSS from "../src/parse-css";
import rgb2hex from "../src/rgb2hex";
import rgb2hsl from "../src/rgb2hsl";
import textColor from "../src/text-color";

function complaint(call: () => unknown): string {
  try {
    return `no complaint: ${String(call())}`;
  } catch (error) {
    return (error as Error).message;
  }
}

test("brightness differs by weights", () => {
  expect(brightnessDifference("#37648c", "rgb(201, 96, 17)")).toBe(27.284);
});

test("colors differ by the sum of their channels", () => {
  expect(colorDifference("#37648c", "peru")).toBe(260);
});

test("contrast does not ask which color comes first", () => {
  expect(contrast("#37648c", "antiquewhite")).toBe(5.33);
  expect(contrast("antiquewhite", "#37648c")).toBe(5.33);
});

test("two colors are compared by all measures", () => {
  expect(compare("#37648c", "#f7f3da")).toEqual({ brightnessDifference: 150.241, colorDifference: 413, compliant: 1, contrast: 5.59, largeAA: true, largeAAA: true, normalAA: true, normalAAA: false });
});

test("the right input is checked before the left is read", () => {
  expect(complaint(() => brightnessDifference("no such color", 5 as never))).toBe("right is required and must be a string");
  expect(complaint(() => contrast("no such color", null as never))).toBe("right is required and must be a string");
});

test("the left input is told before the right", () => {
  expect(complaint(() => colorDifference(5 as never, 6 as never))).toBe("left is required and must be a string");
  expect(complaint(() => compare(undefined as never, 6 as never))).toBe("left is required and must be a string");
});

test("chroma and luminance of a color", () => {
  expect(chroma("hsl(207, 31%, 46%)")).toBe(0.2863);
  expect(luminance("#8a9b6f")).toBe(0.2999);
});

test("text is black on bright colors and white on dark ones", () => {
  expect(textColor("#9a7b3c")).toBe("#ffffff");
  expect(textColor("#8f8a7c")).toBe("#000000");
});

test("a name is found for a hex, else the hex is it", () => {
  expect(name("rgb(205, 133, 63)")).toBe("peru");
  expect(name("#37648C")).toBe("#37648C");
});

test("a CSS function of HSL is read in three forms", () => {
  expect(parseCSS("hsl(207, 31%, 46%)")).toBe("#51799a");
  expect(parseCSS("hsl(207, 31%, 46%)", "hsl")).toEqual({ h: 207, l: 46, s: 31 });
  expect(parseCSS("hsla(207 31% 46% / 20%)", "rgb")).toEqual({ b: 154, g: 121, r: 81 });
});

test("a CSS function of RGB is read in three forms", () => {
  expect(parseCSS("rgba(201, 96, 17, 0.3)")).toBe("#c96011");
  expect(parseCSS("rgb(201 96 17)", "hsl")).toEqual({ h: 25.76, l: 42.75, s: 84.4 });
  expect(parseCSS("rgb(201, 96, 17)", "rgb")).toEqual({ b: 17, g: 96, r: 201 });
});

test("a name and a hex are read in three forms", () => {
  expect(parseCSS("RosyBrown")).toBe("#bc8f8f");
  expect(parseCSS("#C4D8", "hsl")).toEqual({ h: 293.33, l: 56.67, s: 69.23 });
  expect(parseCSS("rosybrown", "rgb")).toEqual({ b: 143, g: 143, r: 188 });
});

test("an unknown form gives the hex", () => {
  expect(parseCSS("#c4d", "cmyk" as never)).toBe("#c4d");
});

test("values out of range and words are told apart", () => {
  expect(complaint(() => parseCSS("rgb(300, 1, 2)"))).toBe("invalid input");
  expect(complaint(() => parseCSS("lab(30 1 2)"))).toBe("invalid CSS string");
});

test("HSL in capitals is not read as HSL", () => {
  expect(complaint(() => parseCSS("HSL(344, 40%, 50%)"))).toBe("invalid input");
  expect(parseCSS("HSL(34, 40%, 50%)")).toBe("#222832");
});

test("the hex of an RGB object goes by its HSL", () => {
  expect(parseColor({ b: 201, g: 96.4, r: 16.7 }).hex).toBe("#1160c9");
  expect(parseColor([17, 96, 201]).hex).toBe("#1160c9");
});

test("an array is brought into range, an object is not let in", () => {
  expect(parseColor([300, -4, 17])).toEqual({ hex: "#ff0011", hsl: { h: 356, l: 50, s: 100 }, rgb: { b: 17, g: 0, r: 255 } });
  expect(complaint(() => parseColor({ b: 17, g: 4, r: 300 }))).toBe("invalid color");
});

test("an HSL object gives all forms", () => {
  expect(parseColor({ h: 207, l: 46, s: 31 })).toEqual({ hex: "#51799a", hsl: { h: 207, l: 46, s: 31 }, rgb: { b: 154, g: 121, r: 81 } });
});

test("what is no color is told as missing", () => {
  expect(complaint(() => parseColor(7 as never))).toBe("input is required");
});

test("a fourth item is refused for a hex and ignored for HSL", () => {
  expect(complaint(() => rgb2hex([201, 96, 17, 4] as never))).toBe("invalid input");
  expect(rgb2hsl([201, 96, 17, 4] as never)).toEqual({ h: 25.76, l: 42.75, s: 84.4 });
});

test("tuples and objects give the same hex", () => {
  expect(rgb2hex([9, 96, 201])).toBe("#0960c9");
  expect(rgb2hex({ b: 12, g: 0, r: 171 })).toBe("#ab000c");
});

test("CSS is written with rounded channels", () => {
  expect(formatCSS({ h: 207.4, l: 46.5, s: 31.2 })).toBe("hsl(207, 31%, 47%)");
  expect(formatCSS({ h: 207.4, l: 46.5, s: 31.2 }, { model: "rgb" })).toBe("rgb(82, 122, 156)");
});

test("CSS is written with an alpha that is a number", () => {
  expect(formatCSS({ b: 17, g: 96, r: 201 }, { alpha: 0.35 })).toBe("rgba(201, 96, 17, 0.35)");
  expect(formatCSS({ b: 17, g: 96, r: 201 }, { alpha: Number.NaN, model: "hsl" })).toBe("hsl(26, 84%, 43%)");
  expect(formatCSS({ b: 17, g: 96, r: 201 }, { alpha: 0, model: "hsl" })).toBe("hsla(26, 84%, 43%, 0)");
});

test("the class answers by its model", () => {
  expect(new Colorizr("#37648c", { model: "hsl" }).fade(30)).toBe("hsla(208.24, 43.59%, 38.24%, 0.7)");
  expect(new Colorizr([55, 100, 140]).css).toBe("rgb(55, 100, 140)");
  expect(new Colorizr("#37648c").invert()).toBe("#8c5f37");
});
