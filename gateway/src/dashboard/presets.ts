import { PresetId } from '@perch/proto/ids';
import { PresetContent } from '@perch/proto/presets';
import { z } from 'zod';
import { idempotencyOf, Once, router, signedIn } from './procedure.ts';

const OnePreset = z.object({ preset_id: PresetId });

/** Saved post templates (seed §1: in the web app alone). */
export const presetsRouter = router({
  list: signedIn.query(({ ctx }) => ctx.clients.presets.list.query({ tenant: ctx.tenant })),
  create: signedIn
    .input(z.object({ preset: PresetContent, ...Once.shape }))
    .mutation(async ({ ctx, input }) => {
      const idempotency = idempotencyOf('presets.create', input);
      const asked = { tenant: ctx.tenant, preset: input.preset, idempotency };
      return (await ctx.clients.presets.create.mutate(asked)).result;
    }),
  update: signedIn
    .input(z.object({ ...OnePreset.shape, preset: PresetContent }))
    .mutation(({ ctx, input }) =>
      ctx.clients.presets.update.mutate({ ...input, tenant: ctx.tenant }),
    ),
  remove: signedIn.input(OnePreset).mutation(async ({ ctx, input }) => {
    await ctx.clients.presets.remove.mutate({ ...input, tenant: ctx.tenant });
    return {};
  }),
});
