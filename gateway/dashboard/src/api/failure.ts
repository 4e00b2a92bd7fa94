import { type FaultCode, faultOf, faults } from '@perch/proto/faults';

/** What went wrong, as a sentence for a person. */
export function sentence(error: unknown): string {
  const fault = faultOf(error);
  if (!fault) return 'Perch could not be reached. Check the connection and try again.';
  const [first] = fault.details.errors ?? [];
  const detail = fault.details.detail ?? (first && `${fieldName(first.pointer)} ${first.detail}`);
  return detail ? asSentence(detail) : asSentence(faults[fault.code].title);
}

/** The stable code of what went wrong; null when it never reached Perch. */
export function codeOf(error: unknown): FaultCode | null {
  return faultOf(error)?.code ?? null;
}

/** What is wrong with one field, by the end of its pointer: `/post/tweets/0/text` for `tweets/0/text`. */
export function fieldError(error: unknown, field: string): string | undefined {
  const found = faultOf(error)?.details.errors?.find(
    ({ pointer }) => pointer === field || pointer.endsWith(`/${field}`),
  );
  return found && asSentence(found.detail);
}

function fieldName(pointer: string): string {
  return (pointer.split('/').at(-1) ?? pointer).replaceAll('_', ' ');
}

function asSentence(text: string): string {
  const upper = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(upper) ? upper : `${upper}.`;
}
