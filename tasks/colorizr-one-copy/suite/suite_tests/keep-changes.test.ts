import { expect, test } from "vitest";
import darken from "../src/darken";
import desaturate from "../src/desaturate";
import fade from "../src/fade";
import lighten from "../src/lighten";
import palette from "../src/palette";
import rotate from "../src/rotate";
import saturate from "../src/saturate";
import scheme from "../src/scheme";
import { shift } from "../src/shift";

function complaint(call: () => unknown): string {
  try {
    return `no complaint: ${String(call())}`;
  } catch (error) {
    return (error as Error).message;
  }
}

test("lightness goes up, by way of the hex of a CSS function", () => {
  expect(lighten("hsl(207, 31%, 46%)", 12)).toBe("#7397b5");
  expect(lighten("#3a7d44")).toBe("#4aa057");
});

test("lightness goes down and stops at black", () => {
  expect(darken("rgb(201, 96, 17)", 15)).toBe("#823e0b");
  expect(darken("rosybrown", 90)).toBe("#000000");
});

test("saturation goes up and stops at the full", () => {
  expect(saturate("#8a9b6f", 25)).toBe("#91ba51");
  expect(saturate("#8a9b6f", 400)).toBe("#a1ff0b");
});

test("saturation goes down", () => {
  expect(desaturate("slateblue", 22)).toBe("#7b72b5");
  expect(desaturate("#c4d")).toBe("#c34fd2");
});

test("a negative amount goes the other way", () => {
  expect(lighten("#5f7a2e", -9)).toBe("#455921");
});

test("an amount that is no number is told before a color that is none", () => {
  expect(complaint(() => darken("no such color", "9" as never))).toBe("amount must be a number");
});

test("an input that is no string is told before an amount that is no number", () => {
  expect(complaint(() => saturate(91 as never, Number.NaN))).toBe("input is required and must be a string");
});

test("hue turns both ways", () => {
  expect(rotate("#37648c", 75)).toBe("#74378c");
  expect(rotate("peru", -140)).toBe("#563fcd");
});

test("degrees that are no number are told before a color that is none", () => {
  expect(complaint(() => rotate("no such color", "15" as never))).toBe("degrees must be a number");
});

test("an input that is no string is told before degrees that are no number", () => {
  expect(complaint(() => rotate({} as never, Number.NaN))).toBe("input is required and must be a string");
});

test("shift replaces channels of HSL and leaves what it does not know", () => {
  expect(shift("#37648c", { h: 21, l: 64 })).toBe("#cb977b");
  expect(shift("hsl(93, 27%, 55%)", { s: 71, r: 4 } as never)).toBe("#84de3a");
});

test("shift tells options that are none before a color that is none", () => {
  expect(complaint(() => shift("no such color", 7 as never))).toBe("invalid options");
});

test("fade writes RGB as it is", () => {
  expect(fade("#37648c", 35)).toBe("rgba(55, 100, 140, 0.65)");
});

test("fade does not round HSL", () => {
  expect(fade("#37648c", 12, "hsl")).toBe("hsla(208.24, 43.59%, 38.24%, 0.88)");
});

test("fade adds two digits to a hex, and one where there is but one", () => {
  expect(fade("#37648c", 45, "hex")).toBe("#37648c8c");
  expect(fade("#37648c", 98, "hex")).toBe("#37648c5");
});

test("fade tells an amount that is no number before a color that is none", () => {
  expect(complaint(() => fade("no such color", undefined, "hsl"))).toBe("invalid CSS string");
  expect(complaint(() => fade("no such color", null as never))).toBe("amount must be a number");
});

test("a scheme holds the color as it was read", () => {
  expect(scheme("#C4D8")).toEqual(["#C4D8", "#55dd44"]);
  expect(scheme("#37648c", "analogous")).toEqual(["#378c8a", "#37648c", "#373a8c"]);
});

test("schemes of three", () => {
  expect(scheme("#37648c", "triadic")).toEqual(["#37648c", "#8c3764", "#648c37"]);
  expect(scheme("#37648c", "split")).toEqual(["#37648c", "#8c373a", "#8c8a37"]);
});

test("schemes of four", () => {
  expect(scheme("olivedrab", "tetradic")).toEqual(["#6b8e23", "#238e46", "#46238e", "#8e236b"]);
  expect(scheme("olivedrab", "square")).toEqual(["#6b8e23", "#238e7c", "#46238e", "#8e2335"]);
});

test("names of objects' own things are no schemes", () => {
  expect(complaint(() => scheme("#37648c", "constructor" as never))).toBe("invalid type");
  expect(complaint(() => scheme("#37648c", "hasOwnProperty" as never))).toBe("invalid type");
});

test("a scheme of a color that is none tells the color", () => {
  expect(complaint(() => scheme("no such color", "no such scheme" as never))).toBe("invalid CSS string");
});

test("palettes turn the hue from where it is", () => {
  expect(palette("hsl(207, 31%, 46%)", { size: 4 })).toEqual(["#51799a", "#519a6e", "#51589a", "#9a517d"]);
});

test("palettes of one hue", () => {
  expect(palette("#37648c", { size: 3, type: "monochromatic" })).toEqual(["#b6cde2", "#548bbc", "#264662"]);
});

test("palettes tell options that are none before a color that is none", () => {
  expect(complaint(() => palette("no such color", 6 as never))).toBe("invalid options");
});
