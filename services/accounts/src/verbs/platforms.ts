import { PlatformName } from '@perch/proto/accounts';
import type { PlatformInfo } from '@perch/proto/connections';
import { Fault } from '@perch/proto/faults';
import type { Deps } from '../deps.ts';
import type { Consent } from '../platforms/platform.ts';
import { callbackUrl } from '../platforms/platforms.ts';
import { registration } from '../platforms/registration.ts';

/** All platforms but the sandbox, whether they are set up here or not. */
export function platforms(deps: Deps): PlatformInfo[] {
  return PlatformName.exclude(['sandbox']).options.map((name) => {
    const platform = deps.platforms[name];
    return {
      platform: name,
      ...registration[name],
      set_up: platform !== undefined,
      callback_url: callbackUrl(deps.publicUrl, name),
      consent: platform?.connection?.consent !== undefined,
      sign_in: platform?.connection?.signIn !== undefined,
      capabilities: platform?.capabilities ?? null,
    };
  });
}

/** The consent page of a platform; `connection_failed` where it has none here. */
export function consentOf(deps: Deps, name: PlatformName): Consent {
  const consent = deps.platforms[name]?.connection?.consent;
  if (consent) return consent;
  const detail = `${name} is not set up here for connecting by a consent page`;
  throw new Fault('connection_failed', { detail, reason: 'not_set_up', platform: name });
}

/** What a platform fetches from us. */
export function document(deps: Deps, input: { platform: PlatformName; name: string }): unknown {
  const found = deps.platforms[input.platform]?.connection?.consent?.document?.(input.name);
  if (found === undefined || found === null)
    throw new Fault('not_found', { detail: 'no such document' });
  return found;
}
