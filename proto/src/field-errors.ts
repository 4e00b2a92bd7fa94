import { z } from 'zod';

/** The wire form of the errors of single fields; see `FieldError` in faults.ts. */
export const FieldErrors = z.array(
  z.object({
    pointer: z.string().describe('JSON pointer into the request body, or the name of a parameter.'),
    code: z.string().describe('A stable word for the rule that was broken.'),
    detail: z.string().describe('One sentence for a person.'),
  }),
);
