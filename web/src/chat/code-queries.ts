import { codeContract } from "../../../src/services/core/code/contract.ts";
import { urlOf } from "../api/request.ts";

/** Where a file that code wrote is. */
export function fileAddress(fileId: string): string {
  return urlOf(codeContract.conversationFile.path, { params: { fileId } });
}
