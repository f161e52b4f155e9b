import type { JobStatus } from "../platform/background/job-monitor.ts";
import { call, type Fetch } from "../platform/http/call.ts";
import { shareRuns } from "../platform/share-runs.ts";
import { serverContract } from "./contract.ts";

/** Shorter than what a person waits for a page. */
const TIMEOUT_MS = 1_500;

/**
 * Lists the background jobs of this process, and of the services in other processes. A process that
 * does not answer is left out: the checks of health report it.
 */
export function createJobList(
  own: () => JobStatus[],
  peers: readonly Fetch[],
): () => Promise<JobStatus[]> {
  // concurrent requests share one question to the other processes
  return shareRuns(async () => {
    const lists = await Promise.all(peers.map(readJobs));
    const jobs = [...lists.flat(), ...own()];
    // one process may run several services, each with an address of its own
    return [...new Map(jobs.map((job) => [`${job.service} ${job.name}`, job])).values()];
  });
}

async function readJobs(peer: Fetch): Promise<JobStatus[]> {
  const options = { timeoutMs: TIMEOUT_MS };
  return call(peer, serverContract.jobs, {}, options).then(
    ({ jobs }) => jobs,
    () => [],
  );
}
