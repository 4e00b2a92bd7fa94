import { z } from 'zod';
import { Idempotency, type Once, onceOf } from './idempotency.ts';
import { PresetId } from './ids.ts';
import { limits } from './limits.ts';
import { AutoReply, AutoRetweet } from './posts.ts';
import { type Call, procedure, router } from './rpc.ts';
import { Tenant } from './tenant.ts';
import { StorableText } from './text.ts';

/** What the user keeps in a preset; media are not part of it. */
export const PresetContent = z.strictObject({
  name: StorableText.trim().min(1).max(80),
  tweets: z
    .array(z.strictObject({ text: StorableText.max(limits.textChars) }))
    .min(1)
    .max(limits.tweetsPerPost),
  auto_reply: AutoReply.nullable().default(null),
  auto_retweet: AutoRetweet.nullable().default(null),
});
export type PresetContent = z.infer<typeof PresetContent>;

/** A saved post template of the composer (seed §1: in the web app, not in the API). */
export const Preset = z.object({
  id: PresetId,
  ...PresetContent.shape,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type Preset = z.infer<typeof Preset>;

const OfTenant = z.object({ tenant: Tenant });
const CreatePreset = z.object({
  tenant: Tenant,
  preset: PresetContent,
  idempotency: Idempotency,
});
const UpdatePreset = z.object({ tenant: Tenant, preset_id: PresetId, preset: PresetContent });
const OnePreset = z.object({ tenant: Tenant, preset_id: PresetId });

/** Presets, served by posts. */
export interface Presets {
  /** By name. */
  list(input: z.output<typeof OfTenant>, call: Call): Promise<Preset[]>;
  /** `preset_limit_reached`. */
  create(input: z.output<typeof CreatePreset>, call: Call): Promise<Once<Preset>>;
  update(input: z.output<typeof UpdatePreset>, call: Call): Promise<Preset>;
  remove(input: z.output<typeof OnePreset>, call: Call): Promise<void>;
}

/** The wire form of {@link Presets}. */
export const presetsRouter = (presets: Presets) =>
  router({
    list: procedure
      .input(OfTenant)
      .output(z.array(Preset))
      .query(({ input, ctx }) => presets.list(input, ctx)),
    create: procedure
      .input(CreatePreset)
      .output(onceOf(Preset))
      .mutation(({ input, ctx }) => presets.create(input, ctx)),
    update: procedure
      .input(UpdatePreset)
      .output(Preset)
      .mutation(({ input, ctx }) => presets.update(input, ctx)),
    remove: procedure.input(OnePreset).mutation(({ input, ctx }) => presets.remove(input, ctx)),
  });
export type PresetsRouter = ReturnType<typeof presetsRouter>;
