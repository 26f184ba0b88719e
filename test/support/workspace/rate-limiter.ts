/** The rate limiter mode: a token bucket per connection, by the emulator's clock. */
import { ApiError } from './errors.ts';
import type { Bot } from './state.ts';
import type { World } from './world.ts';

export class RateLimiter {
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  clear(): void {
    this.#buckets.clear();
  }

  /** @throws RateLimited when the bucket is empty */
  take(world: World, bot: Bot): void {
    const limit = world.settings.rateLimit;
    if (limit === null) return;
    const now = world.now();
    const bucket = this.#buckets.get(bot.id) ?? { tokens: limit.burst, at: now };
    const tokens = Math.min(limit.burst, bucket.tokens + ((now - bucket.at) / 1000) * limit.perSecond);
    if (tokens < 1) {
      this.#buckets.set(bot.id, { tokens, at: now });
      throw new RateLimited(
        Math.max(1, Math.ceil((1 - tokens) / limit.perSecond)),
        'public_api_request_rate_limit',
      );
    }
    this.#buckets.set(bot.id, { tokens: tokens - 1, at: now });
  }
}

/** 429 with `Retry-After` in whole seconds. */
export class RateLimited extends ApiError {
  readonly retryAfter: number;
  constructor(retryAfter: number, reason: string) {
    super(429, 'rate_limited', 'You have been rate limited. Please try again in a few minutes.', {
      additional_data: { rate_limit_reason: reason },
    });
    this.retryAfter = retryAfter;
  }
}
