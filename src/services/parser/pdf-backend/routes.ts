import { UnsupportedType } from "../../../platform/http/errors.ts";
import {
  membersOf,
  objectPieces,
  stringPieces,
} from "../../../platform/json/json-pieces.ts";
import { Routes } from "../../../platform/http/routes.ts";
import type { Backend } from "../backends/backend.ts";
import { IDENTIFY } from "../reading/file-tasks.ts";
import { pdfBackendContract as contract } from "../contract-backend.ts";
import type { ParsingProcesses } from "../parsing-processes.ts";
import type { LocalFiles } from "../local-files.ts";
import { withinTime } from "../parsing.ts";
import { receiveLocalFile } from "../receive-file.ts";
import { jsonAnswer, optionsOf, partsOf } from "../show-result.ts";

interface Deps {
  local: LocalFiles;
  limits: ParsingProcesses;
  backend: Backend;
}

export function pdfBackendRoutes({
  local,
  limits: { pool, jobTimeLimit, maxBytes },
  backend,
}: Deps): Routes {
  return new Routes().on(contract.parsePdf, async ({ query, request, signal }) => {
    const { fileName, stored } = await receiveLocalFile(request, local, {
      maxBytes,
      signal,
    });
    await using file = stored;
    const { path, size } = file;
    const { markdown, tables, images, ...parsed } = await withinTime(
      jobTimeLimit,
      signal,
      async (parsing) => {
        const mimeType = await pool.run(IDENTIFY, { fileName }, file, parsing.signal);
        if (!backend.reads(mimeType))
          throw new UnsupportedType(
            "file_type_unsupported",
            "This file is not a PDF. Send it to the parser service, which reads other files.",
          );
        parsing.begin(backend.key);
        return backend.parse(
          { path, fileName, mimeType, size },
          optionsOf(query),
          parsing.signal,
        );
      },
    );
    return jsonAnswer(
      objectPieces({
        markdown: stringPieces(markdown),
        ...membersOf(parsed),
        ...partsOf({ ...(tables && { tables }), ...(images && { images }) }),
      }),
    );
  });
}
