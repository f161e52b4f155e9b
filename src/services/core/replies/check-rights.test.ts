import { expect, test } from "vitest";
import type { User } from "../../../platform/http/caller.ts";
import { Forbidden, Unavailable } from "../../../platform/http/errors.ts";
import type { PermittedUse } from "../permitted-use.ts";
import { createCheckRights } from "./check-rights.ts";

const userOf = (userId: string): User => ({
  kind: "user",
  via: "jwt",
  userId,
  clientId: "default",
  email: "",
  name: userId,
  roles: ["user"],
});
const replyOf = (userId: string, model = "m") => ({
  userId,
  plan: { model, tools: [], approval: "never" as const, contextWindow: 1_000 },
});
const disabled = new Forbidden("user_disabled", "Disabled.");
const forbidden = new Forbidden("permission_missing", "Not this model.");

const chooseModel = async ({ userId }: User, name: string | undefined) => {
  if (name === "forbidden") throw forbidden;
  if (name === "unreadable") throw new Unavailable("down", "Down.");
  return { model: `${name} of ${userId}`, contextWindow: 1_000 };
};
// what a check asks
const use = { chooseModel, tools: async () => [] } as unknown as PermittedUse;

test("users of all replies are asked for once, and each reply learns why it must end", async () => {
  const asked: (readonly string[])[] = [];
  const check = createCheckRights({
    use,
    actingUsers: {
      async findAll(userIds) {
        asked.push(userIds);
        return new Map<string, User | Forbidden>([
          ["ann", userOf("ann")],
          ["bob", disabled],
        ]);
      },
    },
  });
  const replies = [
    replyOf("ann"),
    replyOf("bob"),
    replyOf("ann", "forbidden"),
    // nothing is known of them now
    replyOf("cem"),
    replyOf("ann", "unreadable"),
  ];
  expect(await check(replies)).toEqual([
    undefined,
    disabled,
    forbidden,
    undefined,
    undefined,
  ]);
  expect(asked).toEqual([["ann", "bob", "cem"]]);
});
