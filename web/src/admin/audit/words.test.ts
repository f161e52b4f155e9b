import { expect, test } from "vitest";
import { de } from "./texts.de.ts";
import { en } from "./texts.en.ts";
import { actionsBySubject, wordsOf } from "./words.ts";

test("an entry of a route says what was done there, others what their action says", () => {
  const tested = {
    action: "model.create",
    details: { path: "/api/v1/model-providers/:name/test" },
  };
  expect(wordsOf(en, tested)).toBe("tested the provider {name}");
  expect(wordsOf(de, tested)).toBe("hat den Anbieter {name} geprüft");
  expect(wordsOf(en, { action: "group.created", details: {} })).toBe(
    "created the group {name}",
  );
  expect(wordsOf(en, { action: "ship.sailed", details: {} })).toBe("ship.sailed {name}");
});

test("the words of both languages have places for the same names", () => {
  const places = (words: string) => [...words.matchAll(/\{\w+\}/g)].map(String).toSorted();
  for (const [action, words] of Object.entries(en.actions))
    expect(places(de.actions[action as keyof typeof en.actions])).toEqual(places(words));
  for (const [route, words] of Object.entries(en.routes))
    expect(places(de.routes[route as keyof typeof en.routes])).toEqual(places(words));
});

test("every action stands below a subject that has a name", () => {
  const subjects = actionsBySubject(en.actions);
  expect(subjects.map(({ name }) => name).toSorted()).toEqual(
    Object.keys(en.subjects).toSorted(),
  );
  expect(subjects.flatMap(({ actions }) => actions).length).toBe(
    Object.keys(en.actions).length,
  );
});
