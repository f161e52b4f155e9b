import { PasswordForm } from "./password-form.tsx";
import { Sessions } from "./sessions.tsx";

export function Security() {
  return (
    <>
      <PasswordForm />
      <Sessions />
    </>
  );
}
