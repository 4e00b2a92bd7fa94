import { z } from 'zod';

const day =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|[12][0-9]))';
const time = '(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.[0-9]{3}';

/** A UTC instant with milliseconds, as the seed writes it (seed §2). Other offsets are refused. */
export const UtcInstant = z
  .string()
  .regex(new RegExp(`^[1-9][0-9]{3}-${day}T${time}Z$`), {
    error: 'must be ISO 8601 in UTC with milliseconds, like 2026-01-31T09:30:00.000Z',
    abort: true,
  })
  // Date.parse takes 29 February of any year, and means 1 March.
  .refine((text) => new Date(text).toISOString() === text, {
    message: 'is not a date that exists',
    params: { code: 'no_such_date' },
  })
  .describe('ISO 8601, UTC, milliseconds: `YYYY-MM-DDTHH:MM:SS.mmmZ`.');
