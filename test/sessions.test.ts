import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN, type TestServer, startTestServer } from "./support/server.ts";

let parlance: TestServer;
beforeAll(async () => {
  parlance = await startTestServer();
  await parlance.request("/api/v1/users", {
    body: { email: "user@test.example", name: "User", password: "a long enough password" },
  });
});
afterAll(() => parlance[Symbol.asyncDispose]());

test("sessions end at the next request after sign-out or disabling", async () => {
  const signIn = async () =>
    (await (
      await parlance.request("/api/v1/auth/login", {
        token: null,
        body: { email: "user@test.example", password: "a long enough password" },
      })
    ).json()) as { accessToken: string; refreshToken: string };
  const me = (token: string) =>
    parlance.request("/api/v1/auth/me", { token }).then(({ status }) => status);
  const refresh = (refreshToken: string) =>
    parlance.request("/api/v1/auth/refresh", { token: null, body: { refreshToken } });
  const first = await signIn();
  expect(await me(first.accessToken)).toBe(200);
  await parlance.request("/api/v1/auth/logout", {
    method: "POST",
    token: first.accessToken,
  });
  expect(await me(first.accessToken)).toBe(401);

  expect((await refresh(first.refreshToken)).status).toBe(401);

  const second = await signIn();
  const renewed = (await (await refresh(second.refreshToken)).json()) as {
    accessToken: string;
  };
  expect(await me(renewed.accessToken)).toBe(200);

  const third = await signIn();
  const { id } = (await (
    await parlance.request("/api/v1/auth/me", { token: third.accessToken })
  ).json()) as { id: string };
  await parlance.request(`/api/v1/users/${id}`, {
    method: "PATCH",
    body: { disabled: true },
  });
  expect(await me(third.accessToken)).toBe(401);
  expect(
    (
      await parlance.request("/api/v1/auth/login", {
        token: null,
        body: { email: "user@test.example", password: "a long enough password" },
      })
    ).status,
  ).toBe(401);
});

test("the last administrator cannot be removed", async () => {
  const { id } = (await (await parlance.request("/api/v1/auth/me")).json()) as {
    id: string;
  };
  expect((await parlance.request(`/api/v1/users/${id}`, { method: "DELETE" })).status).toBe(
    409,
  );
  expect(await parlance.signIn(ADMIN.email, ADMIN.password)).toBeTruthy();
});

test("every answer carries the security headers and a request id, and wrong input is reported by path", async () => {
  const response = await parlance.request("/api/v1/conversation", {
    body: { content: 7 },
    headers: { "x-request-id": "abc-123" },
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    code: "validation_failed",
    requestId: "abc-123",
    details: [{ path: "body.content" }],
  });
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(response.headers.get("access-control-allow-origin")).toBeNull();
  expect(
    (
      await parlance.request("/api/v1/conversation", {
        method: "POST",
        headers: { "content-type": "text/plain" },
      })
    ).status,
  ).toBe(415);
  expect((await parlance.request("/api/v1/nowhere")).status).toBe(404);
});

test("a trace is continued or started, and returned with every answer", async () => {
  const given = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  for (const path of ["/api/v1/auth/me", "/api/v1/nowhere", "/healthz"]) {
    const echoed = await parlance.request(path, { headers: { traceparent: given } });
    expect([path, echoed.headers.get("traceparent")]).toEqual([path, given]);
    for (const wrong of ["", "00-0-0-00", `00-${"0".repeat(32)}-00f067aa0ba902b7-01`]) {
      const made = (
        await parlance.request(path, { headers: { traceparent: wrong } })
      ).headers.get("traceparent");
      expect(made).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-00$/);
    }
  }
});
