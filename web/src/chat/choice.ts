/** The model or agent that answers. `undefined`: as before, or the default. */
export interface Choice {
  model?: string | undefined;
  /** `null`: no agent. */
  agentId?: string | null | undefined;
  /** Names of tools and toolsets, in chats without an agent. */
  tools?: string[] | undefined;
}
