import { randomBytes, randomUUID } from "node:crypto";

/** The data of a Langflow. */
export interface FakeUser {
  id: string;
  username: string;
  password: string;
  isActive: boolean;
  isSuperuser: boolean;
  /** Whether the user ever signed in: an inactive user then gets another error. */
  signedIn: boolean;
}

export interface FakeFlow {
  id: string;
  userId: string;
  name: string;
  description: string;
  data: { nodes: { id: string; data?: { type?: string } }[] };
  accessType: string;
  updatedAt: string;
}

export interface FakeKey {
  id: string;
  userId: string;
  name: string;
  key: string;
}

/** A Langflow's database and its clock. */
export class FakeState {
  users: FakeUser[] = [];
  keys: FakeKey[] = [];
  flows: FakeFlow[] = [];
  files = new Map<string, string>();
  #generation = 0;
  accessSeconds = 3_600;
  readonly adminKey: string;

  constructor(adminKey: string) {
    this.adminKey = adminKey;
    this.wipe();
  }

  /** The state after its database was lost: only an administrator. */
  wipe(): void {
    this.users = [
      this.#user("parlance-admin", randomBytes(16).toString("hex"), {
        isActive: true,
        isSuperuser: true,
        signedIn: true,
      }),
    ];
    this.keys = [];
    this.flows = [];
    this.files.clear();
  }

  addUser(username: string, password: string): FakeUser {
    const user = this.#user(username, password, {
      isActive: false,
      isSuperuser: false,
      signedIn: false,
    });
    this.users.push(user);
    return user;
  }

  #user(
    username: string,
    password: string,
    flags: Pick<FakeUser, "isActive" | "isSuperuser" | "signedIn">,
  ): FakeUser {
    return { id: randomUUID(), username, password, ...flags };
  }

  newKey(userId: string, name: string): FakeKey {
    return {
      id: randomUUID(),
      userId,
      name,
      key: `sk-${randomBytes(32).toString("base64url")}`,
    };
  }

  /** Makes the tokens void that it issued until now. */
  voidTokens(): void {
    this.#generation += 1;
  }

  /** Tokens in the form of JWTs, which only this server can verify. */
  tokensFor(user: FakeUser) {
    const make = (type: string, seconds: number) => {
      const claims = {
        sub: user.id,
        type,
        exp: Math.floor(Date.now() / 1_000) + seconds,
        jti: randomUUID(),
        generation: this.#generation,
      };
      return (
        [{ alg: "HS256", typ: "JWT" }, claims]
          .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
          .join(".") + ".c2ln"
      );
    };
    return {
      access_token: make("access", this.accessSeconds),
      refresh_token: make("refresh", 604_800),
      token_type: "bearer",
    };
  }

  userOfToken(token: string, type: "access" | "refresh"): FakeUser | undefined {
    try {
      const claims = JSON.parse(
        Buffer.from(token.split(".")[1] ?? "", "base64url").toString(),
      ) as Record<string, unknown>; // its own
      const holds =
        claims["type"] === type &&
        Number(claims["exp"]) * 1_000 > Date.now() &&
        claims["generation"] === this.#generation;
      return holds ? this.users.find(({ id }) => id === claims["sub"]) : undefined;
    } catch {
      return undefined;
    }
  }

  userOfKey(key: string): FakeUser | undefined {
    if (key === this.adminKey) return this.users.find(({ isSuperuser }) => isSuperuser);
    const found = this.keys.find((one) => one.key === key);
    return found && this.users.find(({ id }) => id === found.userId);
  }
}

export function toUser({ id, username, isActive, isSuperuser }: FakeUser): object {
  const now = new Date().toISOString();
  return {
    id,
    username,
    profile_image: null,
    store_api_key: null,
    is_active: isActive,
    is_superuser: isSuperuser,
    create_at: now,
    updated_at: now,
    last_login_at: null,
    optins: { github_starred: false, dialog_dismissed: false, discord_clicked: false },
  };
}
