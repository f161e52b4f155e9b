import { expect, test } from "vitest";
import { toImage } from "./to-image.ts";

const png = { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" };

test.each([
  ["data:image/png;base64,iVBORw0KGgo="],
  ["data:image/png;charset=utf-8;base64,iVBORw0KGgo="],
  ["data:image/png;name=a.png;charset=utf-8;base64,iVBORw0KGgo"],
  ["DATA:image/png;BASE64,iVBOR\nw0KGgo=\n"],
  [" data:image/png;base64,iVBORw0KGgo= "],
])("reads %j", (url) => {
  expect(toImage(url)).toEqual(png);
});

test("reads the alphabet of addresses", () => {
  expect(toImage("data:image/webp;base64,_-8").data).toBe("/+8=");
});

test.each([
  "data:image/png,iVBORw0KGgo=",
  "data:image/png;base64,",
  "data:image/png;base64,a",
  "data:image/png;base64,%%%%",
  "data:text/html;base64,iVBORw0KGgo=",
  "data:;base64,iVBORw0KGgo=",
  "ftp://pictures.example/a.png",
  "a.png",
])("refuses %j", (url) => {
  expect(() => toImage(url)).toThrow("Send an image");
});

test("names the type of an address by its extension", () => {
  expect(toImage("https://pictures.example/a.PNG?x")).toMatchObject({
    mediaType: "image/png",
  });
});
