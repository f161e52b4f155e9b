import { texts } from "../texts/language.ts";

const en = {
  providerRefused: (code: string) =>
    `The sign-in at your identity provider failed (${code}). Try again; if this repeats, tell your administrator.`,
  linkHint:
    "You have an account with this email and a password already. Enter its password once, so that your " +
    "identity provider signs you in to it from now on.",
  link: "Connect and sign in",
  linkCancel: "Sign in another way",
  linkWrong: "The password is wrong. Try again, or ask your administrator for a new one.",
  signUp: "Create an account",
  noAccount: "No account yet?",
  hasAccount: "You have an account?",
  signUpClosed: "Administrators create the accounts here. Ask yours for one.",
  setUp: "Set the password",
  setUpHint: "This installation is new. Choose the password of its first administrator.",
  setUpCode: "Password that the start printed",
  setUpName: "Your name",
  setUpEmailHint: "Empty: the email that the start printed.",
  setUpPassword: "New password",
  setUpPasswordHint: (count: number) => `At least ${count} characters.`,
  hasPassword: "I have a password already",
  newPassword: "Choose a password of your own",
  newPasswordHint:
    "An administrator gave you the one that you signed in with. From now on only you should know it.",
  givenPassword: "Password that you were given",
};

const de = {
  providerRefused: (code: string) =>
    `Die Anmeldung bei Ihrem Anmeldedienst ist gescheitert (${code}). Versuchen Sie es erneut; wenn es bleibt, sagen Sie es Ihrer Administration.`,
  linkHint:
    "Mit dieser E-Mail haben Sie schon ein Konto mit Kennwort. Geben Sie dessen Kennwort einmal ein, dann " +
    "meldet Ihr Anmeldedienst Sie künftig dort an.",
  link: "Verbinden und anmelden",
  linkCancel: "Anders anmelden",
  linkWrong:
    "Das Kennwort ist falsch. Versuchen Sie es erneut, oder bitten Sie Ihre Administration um ein neues.",
  signUp: "Konto anlegen",
  noAccount: "Noch kein Konto?",
  hasAccount: "Sie haben ein Konto?",
  signUpClosed: "Konten legt hier die Administration an. Bitten Sie diese um eines.",
  setUp: "Kennwort setzen",
  setUpHint:
    "Diese Installation ist neu. Wählen Sie ein Kennwort für das erste Konto, das sie verwaltet.",
  setUpCode: "Kennwort, das der Start ausgegeben hat",
  setUpName: "Ihr Name",
  setUpEmailHint: "Leer: die E-Mail-Adresse, die der Start ausgegeben hat.",
  setUpPassword: "Neues Kennwort",
  setUpPasswordHint: (count: number) => `Mindestens ${count} Zeichen.`,
  hasPassword: "Ich habe schon ein Kennwort",
  newPassword: "Wählen Sie ein eigenes Kennwort",
  newPasswordHint:
    "Das Kennwort, mit dem Sie sich angemeldet haben, kommt von der Administration. Ab jetzt sollten nur Sie es kennen.",
  givenPassword: "Kennwort, das Sie bekommen haben",
} satisfies typeof en;

export const useSignInTexts = texts({ en, de });
