import { usersContract } from "../../../src/services/users/contract.ts";
import { call } from "../api/call.ts";

/** Ends every session, this one too. */
export function choosePassword(currentPassword: string, newPassword: string) {
  return call(usersContract.changePassword, { body: { currentPassword, newPassword } });
}
