import type { RunRequest } from "../../agent-loop/contract.ts";
import type { EarlierRun } from "../../agent-loop/contract-transcript.ts";
import type { Message } from "../../completion/contract.ts";
import type { CarriedLabel } from "../../users/contract-judge-labels.ts";
import type { Resource } from "../../users/contract-sharing.ts";
import type { StoredMessage } from "../conversations/attachments.ts";
import type { Source } from "../sources/contract.ts";
import type { ConversationEvent } from "./contract.ts";
import type { ReplyPlan } from "./plan-reply.ts";

/** A reply to generate. */
export interface ReplyJob {
  messageId: string;
  conversationId: string;
  userId: string;
  /** Whether the conversation began with this reply. */
  isNew?: boolean;
  /** Counts the runs of one reply, which continues after a decision. */
  run: number;
  /** The first events. */
  opening: readonly ConversationEvent[];
  plan: ReplyPlan;
  messages: StoredMessage[];
  /** The first message of a conversation that has no title yet. */
  titleFor?: string;
  /** What the run reads from its beginning, such as the files of the message. */
  reads?: readonly Resource[];
  decisions?: RunRequest["decisions"];
  earlier?: EarlierRun;
}

/** A planned reply with everything that its run needs. */
export interface ReplyRun {
  plan: ReplyPlan;
  userId: string;
  /** Absent for a reply that belongs to no conversation. */
  conversationId?: string;
  /** Absent for a reply that is not stored. */
  messageId?: string;
  messages: Message[];
  /** Documents that go into a flow. */
  files?: string[];
  decisions?: RunRequest["decisions"];
  /** Passages that an earlier run of the same reply has. */
  sources?: readonly Source[];
  maxTokens?: number;
  /** Labelled or not, what the run reads from its beginning. */
  reads?: readonly Resource[];
  /** Of all that the run has read. */
  labels?: readonly CarriedLabel[];
}
