import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';

/** A mutation behind a button: how far it is, and how it is begun. */
export interface OnceMutation<Input> {
  mutate: (input: Input) => void;
  isPending: boolean;
  isError: boolean;
  isSuccess: boolean;
  error: Error | null;
  /** What it was last begun with. */
  input: Input | undefined;
}

/**
 * A mutation that happens once however often its button is pressed: a second press while it is under way
 * does nothing, and a retry of the same input carries the same idempotency key.
 */
export function useOnce<Input, Output>(
  send: (input: Input, idempotencyKey: string) => Promise<Output>,
  on: {
    success?: (output: Output, input: Input) => unknown;
    failure?: (error: Error) => unknown;
  } = {},
): OnceMutation<Input> {
  const last = useRef<{ asText: string; key: string } | null>(null);
  const underWay = useRef(false);
  const { mutate, isPending, isError, isSuccess, error, variables } = useMutation<
    Output,
    Error,
    { input: Input }
  >({
    mutationFn: ({ input }) => {
      const asText = JSON.stringify(input) ?? '';
      if (last.current?.asText !== asText) last.current = { asText, key: crypto.randomUUID() };
      return send(input, last.current.key);
    },
    onSuccess: (output, { input }) => {
      last.current = null;
      return on.success?.(output, input);
    },
    onError: (failure) => on.failure?.(failure),
    onSettled: () => {
      underWay.current = false;
    },
  });
  return {
    mutate: (input) => {
      if (underWay.current) return;
      underWay.current = true;
      mutate({ input });
    },
    isPending,
    isError,
    isSuccess,
    error,
    input: variables?.input,
  };
}
