import type { Labels } from "../../src/services/core/labels/labels.ts";

/** The labels of an installation where nothing carries any. */
export const noLabels: Labels = {
  collect: async (_keeper, _read, known = []) => [...known],
  isInUse: async () => false,
  ofIds: async () => [],
  carry: async () => {},
  refuseExport: async () => {},
  async [Symbol.asyncDispose]() {},
};
