import { expect, test } from "vitest";
import { brightness } from "../src/modules/brightness";
import { limitChannels, toRGB } from "../src/modules/channels";
import { colorsOf } from "../src/modules/colors";
import { cssText } from "../src/modules/css-text";
import scheme, { schemeAngles } from "../src/scheme";

test("brightness weighs channels and does not round", () => {
  expect(brightness({ b: 17, g: 96, r: 201 })).toBe(118.389);
  expect(brightness({ b: 1, g: 0, r: 0 })).toBe(0.114);
});

test("toRGB takes the first three items", () => {
  expect(toRGB([201, 96, 17])).toEqual({ b: 17, g: 96, r: 201 });
  expect(toRGB([4, 5, 6, 7] as never)).toEqual({ b: 6, g: 5, r: 4 });
});

test("limitChannels brings RGB into range", () => {
  expect(limitChannels({ b: 900, g: 96, r: -3 }, "rgb")).toEqual({ b: 255, g: 96, r: 0 });
});

test("limitChannels brings HSL into range and drops the rest", () => {
  expect(limitChannels({ a: 1, h: 400, l: 120, s: 30.5 } as never, "hsl")).toEqual({ h: 360, l: 100, s: 30.5 });
});

test("cssText writes RGB", () => {
  expect(cssText("rgb", [201, 96.5, 17])).toBe("rgb(201, 96.5, 17)");
  expect(cssText("rgb", [201, 96, 17], 0)).toBe("rgba(201, 96, 17, 0)");
});

test("cssText writes HSL", () => {
  expect(cssText("hsl", [207.4, 31, 46.25])).toBe("hsl(207.4, 31%, 46.25%)");
  expect(cssText("hsl", [207, 31, 46], 0.25)).toBe("hsla(207, 31%, 46%, 0.25)");
  expect(cssText("hsl", [207, 31, 46], Number.NaN)).toBe("hsl(207, 31%, 46%)");
});

test("colorsOf a hex keeps it as it is written", () => {
  expect(colorsOf("#C4D")).toEqual({ hex: "#C4D", hsl: { h: 293.33, l: 56.67, s: 69.23 }, rgb: { b: 221, g: 68, r: 204 } });
});

test("colorsOf HSL and RGB go by their own converters", () => {
  expect(colorsOf({ h: 207, l: 46, s: 31 })).toEqual({ hex: "#51799a", hsl: { h: 207, l: 46, s: 31 }, rgb: { b: 154, g: 121, r: 81 } });
  expect(colorsOf({ b: 201, g: 96, r: 17 })).toEqual({ hex: "#1160c9", hsl: { h: 214.24, l: 42.75, s: 84.4 }, rgb: { b: 201, g: 96, r: 17 } });
});

test("schemeAngles names the turns", () => {
  expect(schemeAngles.analogous).toEqual([-30, 0, 30]);
  expect(schemeAngles["split-complementary"]).toEqual([0, 150, 210]);
  expect(schemeAngles.rectangle).toEqual([0, 60, 180, 240]);
});

test("a scheme added at run time works", () => {
  (schemeAngles as Record<string, number[]>).fan = [0, 20, -75];

  expect(scheme("#37648c", "fan" as never)).toEqual(["#37648c", "#37488c", "#378c4a"]);
});

test("a scheme changed at run time is followed", () => {
  schemeAngles.complementary = [90];

  expect(scheme("olivedrab")).toEqual(["#238e7c"]);
});
