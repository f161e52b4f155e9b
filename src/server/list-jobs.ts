import type { JobStatus } from "../platform/background/job-monitor.ts";
import { call, type Fetch } from "../platform/http/call.ts";
import { singleFlight } from "../platform/single-flight.ts";
import type { ServiceName } from "../platform/service.ts";
import { serverContract } from "./contract.ts";

/** Shorter than what a person waits for a page. */
const TIMEOUT_MS = 1_500;

export interface JobList {
  jobs: JobStatus[];
  /** The services whose jobs are missing, because they did not answer. */
  unreachable: ServiceName[];
}

/** Lists the background jobs of this process, and of the services in other processes. */
export function createJobList(
  own: () => JobStatus[],
  apart: readonly ServiceName[],
  peer: (name: ServiceName) => Fetch,
): () => Promise<JobList> {
  // concurrent requests share one question to the other processes
  return singleFlight(async () => {
    const answers = await Promise.all(apart.map((name) => readJobs(peer(name))));
    const jobs = [...answers.flatMap((list) => list ?? []), ...own()];
    return {
      // one process may run several services, each with an address of its own
      jobs: [...new Map(jobs.map((job) => [`${job.service} ${job.name}`, job])).values()],
      unreachable: apart.filter((_, at) => answers[at] === undefined),
    };
  });
}

async function readJobs(peer: Fetch): Promise<JobStatus[] | undefined> {
  const options = { timeoutMs: TIMEOUT_MS };
  return call(peer, serverContract.jobs, {}, options).then(
    ({ jobs }) => jobs,
    () => undefined,
  );
}
