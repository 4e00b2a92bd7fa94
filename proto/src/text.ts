import { z } from 'zod';

/** Text that a database and a platform can take: any but the character NUL and halves of a surrogate pair. */
export const StorableText = z
  .string()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what this is about.
  .regex(/^[^\u0000]*$/, 'must not contain the character NUL')
  .refine((text) => text.isWellFormed(), {
    message: 'must be well-formed Unicode, without halves of a surrogate pair',
    params: { code: 'not_well_formed' },
  });
