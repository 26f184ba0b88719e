/**
 * Fetches an attachment from its URL or from the gateway. Reserves `heldBytes` of the worker's memory before the
 * request starts, and writes the bytes to Postgres in pieces as they arrive.
 */
import { v7 as newId } from 'uuid';
import {
  dropFilePieces,
  findUnfetched,
  keepFilePieces,
  recordUnfetched,
  writeFilePiece,
  type FileAttempt,
  type UnfetchedFile,
} from '../../adapters/postgres/conversations/attachments.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import {
  fetchedLater,
  storageFull,
  tooLarge,
  unavailable,
  type UnfetchedFileState,
} from '../../domain/conversations/unfetched-file.ts';
import type { ActivityDeps } from '../deps.ts';
import { transient } from '../../worker/failures.ts';
import { placeOfGatewayFile } from '../whatsapp/place-of-gateway-file.ts';
import { laterMs, type FilePlace } from './file-place.ts';

const maxFileBytes = 16 * 1024 * 1024;
/**
 * Maximum total bytes of the files that are fetched for one run. Chosen: four times the bytes that a model call gets
 * (`maxRunFileBytes`), because tools can read the other files.
 */
const maxRunBytes = 4 * maxFileBytes;
const pieceBytes = 256 * 1024;
/**
 * Bytes of memory that are reserved for a fetch: four pieces. One is being received, one is joined from its chunks,
 * one is being sent to Postgres, and one is spare.
 */
const heldBytes = 4 * pieceBytes;
/**
 * Maximum bytes of memory that a worker reserves for fetches: enough for eight at the same time, of which one
 * organization may use half. Chosen: more fetches would take processor time from other organizations without ending
 * sooner.
 */
export const maxFetchBytes = 8 * heldBytes;
/**
 * Maximum bytes per second that one organization fetches in a worker, over all its files. Chosen: without a limit,
 * four fetches from a nearby server reach 55 MiB/s on two processors and delay the calls of other organizations.
 */
export const fetchedPerSecond = 8 * 1024 * 1024;
const timeoutMs = 30_000;
/**
 * Milliseconds for which a run waits for a temporarily unavailable file; also the maximum delay between two attempts
 * to fetch it. Chosen.
 */
export const patienceMs = 30_000;
interface Tries {
  isLastTry: boolean;
  signal: AbortSignal;
}

const busyMs = { min: 500, spread: 1500 };

/**
 * Fetches one attachment and records its state. A repeated call starts over, unless the file is stored or its state is
 * final.
 * @param tries.signal aborts the request
 * @param tries.isLastTry true to record a state instead of throwing if the file is temporarily unavailable
 * @throws a retryable failure if the worker has no memory left for fetches, if the organization uses all of its slots,
 * or if the file is temporarily unavailable and this is not the last try
 */
export async function fetchFile(deps: ActivityDeps, attachmentId: string, tries: Tries): Promise<void> {
  await deps.attempts.guarded(`file/${attachmentId}`, {
    work: async () => {
      await tryToFetch(deps, attachmentId, tries);
      return 'done';
    },
    giveUp: async (why) => {
      await recordUnfetched(deps.db, attachmentId, unavailable(why));
      return 'done';
    },
  });
}

/**
 * Fetches a file, or records why it is not stored. Does nothing if the file is stored or its state is final.
 * @throws a retryable failure as `fetchFile` does; the signal's reason if the request was aborted; database errors
 */
async function tryToFetch(
  deps: ActivityDeps,
  attachmentId: string,
  { isLastTry, signal }: Tries,
): Promise<void> {
  const file = await findUnfetched(deps.db, attachmentId);
  if (file === undefined) return;
  if (file.fetchedBytes >= maxRunBytes) {
    await recordUnfetched(deps.db, attachmentId, tooLarge);
    return;
  }
  if (file.storageLeft !== null && file.storageLeft <= 0) {
    await recordUnfetched(deps.db, attachmentId, storageFull);
    return;
  }
  const { organizationId } = file;
  const fetchIt = () => deps.shares.use(organizationId, () => fetchHeld(deps, attachmentId, file, signal));
  const result = await deps.fetchBytes.use(organizationId, fetchIt, {
    units: heldBytes,
    busy: () => {
      const afterMs = busyMs.min + Math.random() * busyMs.spread;
      return transient('Busy', 'This worker fetches many files; this one is retried later.', afterMs);
    },
  });
  if (result.kind === 'kept') return;
  if (result.kind === 'later' && !isLastTry) {
    throw transient('FileLater', 'The file is not available for now.', Math.min(result.afterMs, patienceMs));
  }
  await recordUnfetched(deps.db, attachmentId, result.state);
}

type Fetched =
  | { kind: 'kept' }
  /** The file may be available after `afterMs` milliseconds. On the last try, `state` is recorded. */
  | { kind: 'later'; afterMs: number; state: UnfetchedFileState }
  | { kind: 'never'; state: UnfetchedFileState };

const never = (state: UnfetchedFileState): Fetched => ({ kind: 'never', state });

async function fetchHeld(
  deps: ActivityDeps,
  attachmentId: string,
  file: UnfetchedFile,
  signal: AbortSignal,
): Promise<Fetched> {
  const maxBytes = Math.min(maxFileBytes, maxRunBytes - file.fetchedBytes);
  // A file whose stated size is too large is not requested. The download has the same limit, because the stated size
  // may be wrong.
  if (file.size !== null && file.size > maxBytes) return never(tooLarge);
  const { source } = file;
  const place: FilePlace =
    source.kind === 'url'
      ? { url: source.url, http: deps.http, isOfGateway: false }
      : await placeOfGatewayFile(deps, source);
  // Once no run waits for a gateway's file, `fetchRemainingFiles` fetches it, until its message is two days old. A
  // file at another URL is not fetched again.
  const later = (why: string, afterMs: number): Fetched => ({
    kind: 'later',
    afterMs,
    state: 'error' in place || place.isOfGateway ? fetchedLater(why) : unavailable(why),
  });
  if ('error' in place) {
    return place.laterMs === undefined ? never(unavailable(place.error)) : later(place.error, place.laterMs);
  }
  const { url, http, isOfGateway } = place;
  const pieces = new Pieces(deps.db, { attachmentId, attempt: newId() }, (bytes) =>
    deps.fetchPace.pass(file.organizationId, bytes),
  );
  const declared = { isTooLarge: false };
  try {
    const outcome = await http.request({
      method: 'GET',
      url,
      organization: file.organizationId,
      timeoutMs,
      maxBytes,
      signal,
      sinkFor: (status, headers) => {
        declared.isTooLarge = Number(headers['content-length'] ?? 0) > maxBytes;
        return status === 200 && !declared.isTooLarge ? (piece) => pieces.add(piece) : undefined;
      },
    });
    // An aborted request says nothing about the file, and a retry of the activity fetches it again.
    signal.throwIfAborted();
    if (outcome.outcome === 'blocked') return never(unavailable(outcome.reason));
    if (outcome.outcome === 'failed') {
      const passes = isOfGateway || outcome.reason === 'dns';
      return passes ? later(outcome.reason, laterMs) : never(unavailable(outcome.reason));
    }
    const { status, truncated, bodyComplete } = outcome;
    if (truncated || (status === 200 && declared.isTooLarge)) return never(tooLarge);
    if (status !== 200 || !bodyComplete) {
      const passes = isOfGateway && (status === 200 || status >= 500);
      return passes ? later(`status ${status}`, laterMs) : never(unavailable(`status ${status}`));
    }
    const result = await pieces.keep(outcome.headers['content-type']);
    if (result === 'storage_full') return never(storageFull);
    return result === 'too_large' ? never(tooLarge) : { kind: 'kept' };
  } finally {
    await pieces.drop();
  }
}

/**
 * Collects the chunks of a file, and writes them to Postgres in pieces. Each piece but the last has at least
 * `pieceBytes`.
 */
class Pieces {
  readonly #db: Database;
  readonly #attempt: FileAttempt;
  /** Waits until the organization's rate limit allows another `bytes` bytes. */
  readonly #pace: (bytes: number) => Promise<void>;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #size = 0;
  #written = 0;

  constructor(db: Database, attempt: FileAttempt, pace: (bytes: number) => Promise<void>) {
    this.#db = db;
    this.#attempt = attempt;
    this.#pace = pace;
  }

  async add(chunk: Buffer): Promise<void> {
    this.#chunks.push(chunk);
    this.#bytes += chunk.byteLength;
    if (this.#bytes >= pieceBytes) await this.#write();
  }

  async keep(contentType: string | undefined): Promise<'kept' | 'gone' | 'too_large' | 'storage_full'> {
    if (this.#bytes > 0) await this.#write();
    const result = await keepFilePieces(this.#db, this.#attempt, {
      size: this.#size,
      contentType,
      maxRunBytes,
    });
    if (result === 'kept') this.#written = 0;
    return result;
  }

  /** Deletes the written pieces, unless `keep` has joined them into the file. */
  async drop(): Promise<void> {
    if (this.#written > 0) await dropFilePieces(this.#db, this.#attempt);
  }

  async #write(): Promise<void> {
    const piece = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#bytes = 0;
    this.#size += piece.byteLength;
    this.#written += 1;
    await this.#pace(piece.byteLength);
    await writeFilePiece(this.#db, this.#attempt, this.#written, piece);
  }
}
