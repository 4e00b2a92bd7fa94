import { Fault } from '@perch/proto/faults';
import { z } from 'zod';

/** An OpenAI-compatible service that writes drafts. */
export interface AiSettings {
  /** What `/chat/completions` is below, like `https://host/v1`. */
  url: string;
  key: string;
  model: string;
}

/** What the user wants to have written. */
export const Wish = z.object({
  prompt: z.string().trim().min(1).max(2_000),
  max_chars: z.number().int().min(20).max(10_000).default(280),
  tweets: z.number().int().min(1).max(25).default(1),
});

const timeoutMs = 30_000;
const maxAnswerBytes = 200_000;
const separator = '\n---\n';
const Completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});

/**
 * Drafts for the composer, for the user to look over; never reachable through the API (seed §1). Throws
 * `not_available` where it is not set up, `service_unavailable` when the service does not answer.
 */
export async function writeWithAi(
  ai: AiSettings | null,
  wish: z.output<typeof Wish>,
): Promise<{ tweets: { text: string }[] }> {
  if (!ai) throw new Fault('not_available', { detail: 'writing with AI is not set up here' });
  const system = `Write ${wish.tweets} social media post(s), each of at most ${wish.max_chars} characters. Answer with the text alone; put a line with --- between posts.`;
  try {
    const response = await fetch(`${ai.url.replace(/\/$/, '')}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ai.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: ai.model,
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: wish.prompt },
        ],
      }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    if (!response.ok || text.length > maxAnswerBytes)
      throw new Error(`it answered ${response.status}, ${text.length} characters`);
    const [choice] = Completion.parse(JSON.parse(text)).choices;
    const parts = (choice?.message.content ?? '').split(separator).map((part) => part.trim());
    return {
      tweets: parts
        .filter(Boolean)
        .slice(0, wish.tweets)
        .map((part) => ({ text: part })),
    };
  } catch (cause) {
    const detail = 'the service that writes drafts gave no usable answer';
    throw new Fault('service_unavailable', { detail }, { cause });
  }
}
