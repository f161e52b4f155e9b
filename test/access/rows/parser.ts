import { alike, ownerAlone, type Rows, services } from "../row.ts";
import type { World } from "../world.ts";

const access = ["internal", "jwt", "key"] as const;
const open = {
  access: "public",
  cases: { it: { ask: () => ({}), answers: alike() } },
} as const;

const file = () => ({ form: { file: new File(["A text to read."], "a.txt") } });
const parsed = { access, cases: { it: { ask: file, answers: alike() } } };
/** Admitted callers are asked for a file, a limited number of times a minute. */
const conversion = {
  access,
  cases: { it: { ask: () => ({}), answers: alike("let through"), service: "let through" } },
} as const;
/** A user's token opens only that user's jobs. */
const harmless = {
  "query.document_id": "a document hears only of the attempt that it waits for",
  "query.user_id": "of a service alone it is taken",
};

/** A finished job of the owner. */
async function job(world: World) {
  const mark = world.word();
  const form = new FormData();
  form.append("file", new File([`A text about ${mark}.`], `${mark}.txt`));
  const headers = { authorization: `Bearer ${world.people.owner.token}` };
  const response = await fetch(`${world.parlance.url}/api/v1/parser/parse-async`, {
    method: "POST",
    headers,
    body: form,
  });
  const { job_id } = (await response.json()) as { job_id: string };
  for (let round = 0; round < 200; round += 1) {
    const { status } = await world.as<{ status: string }>(
      "owner",
      "GET",
      `/api/v1/parser/parse-status/${job_id}`,
    );
    if (status === "completed") break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { params: { job_id }, mark };
}

/** On a PORT that only this machine reaches. */
const observed = {
  access: ["public", "local", "service-secret", "admin"],
  cases: open.cases,
} as const;

/** The service that asks has checked who may see the documents. */
const oneTable = {
  userId: "nobody",
  documents: [
    {
      id: "01a1fb8b-2522-72b4-a6e7-60a70d8e06b0",
      fileName: "gone.csv",
      mimeType: "text/csv",
      sha256: "0".repeat(64),
    },
  ],
};

const onePage = { userId: "nobody", storageKey: "documents/gone", page: 1 };

const oneText = {
  userId: "nobody",
  fileName: "a.txt",
  data: Buffer.from("Some words.").toString("base64"),
};

export const parser: Rows = {
  readText: {
    access: "service-secret",
    cases: { it: { ask: () => ({ body: oneText }), answers: services, service: 200 } },
  },
  describeTables: {
    access: "service-secret",
    cases: { it: { ask: () => ({ body: oneTable }), answers: services, service: 200 } },
  },
  exportTables: {
    access: "service-secret",
    cases: {
      it: {
        ask: () => ({ body: { ...oneTable, sql: "SELECT 1" } }),
        answers: services,
        service: 200,
      },
    },
  },
  readOriginalPage: {
    access: "service-secret",
    cases: {
      it: { ask: () => ({ body: onePage }), answers: services, service: 404 },
    },
  },
  drawOriginalPage: {
    access: "service-secret",
    cases: {
      it: { ask: () => ({ body: onePage }), answers: services, service: 404 },
    },
  },
  queryTables: {
    access: "service-secret",
    cases: {
      it: {
        ask: () => ({ body: { ...oneTable, sql: "SELECT 1", maxRows: 1 } }),
        answers: services,
        service: 200,
      },
    },
  },
  personalData: {
    access: "service-secret",
    cases: {
      it: {
        ask: ({ people }) => ({ params: { userId: people.owner.id } }),
        answers: services,
      },
    },
  },
  parse: { ...parsed, harmless },
  parseAsync: { ...parsed, harmless },
  parseStatus: {
    access,
    cases: { it: { ask: job, answers: ownerAlone("with it"), defence: "identity" } },
  },
  parseMarkdown: {
    access,
    cases: { it: { ask: job, answers: ownerAlone("with it"), defence: "identity" } },
  },
  parseCancel: {
    access,
    cases: { it: { ask: job, answers: ownerAlone(), defence: "identity", once: true } },
  },
  parserHealth: { access, cases: { it: { ask: () => ({}), answers: alike() } } },
  parserInfo: { access, cases: { it: { ask: () => ({}), answers: alike() } } },
  processDocument: conversion,
  processDocumentPlain: conversion,
  probeHealth: open,
  probeHealthz: open,
  probeLiveness: open,
  probeReadiness: observed,
  probeReadyz: observed,
  probeDetailed: observed,
};

const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]>>endobj
trailer<</Root 1 0 R>>
%%EOF`;

export const pdfBackend: Rows = {
  parsePdf: {
    access,
    cases: {
      it: { ask: () => ({ form: { file: new File([PDF], "a.pdf") } }), answers: alike() },
    },
  },
};
