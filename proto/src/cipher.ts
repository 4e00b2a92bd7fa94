import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Encrypts secrets that are kept in a database, bound to the row that they are in. */
export interface Cipher {
  /** AES-256-GCM with the first key; `place` must be the same to decrypt, so rows can not be swapped. */
  encrypt(secret: string, place: string): string;
  /** Throws when the text was tampered with, moved, or encrypted with a key that is gone. */
  decrypt(sealed: string, place: string): string;
}

/** A cipher with key rotation: the first key encrypts, all of them decrypt. */
export function createCipher(keys: { id: string; key: Buffer }[]): Cipher {
  const [current] = keys;
  if (!current) throw new Error('no encryption key');
  return {
    encrypt(secret, place) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', current.key, iv).setAAD(Buffer.from(place));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      const parts = [iv, cipher.getAuthTag(), text].map((part) => part.toString('base64url'));
      return ['v1', current.id, ...parts].join('.');
    },
    decrypt(sealed, place) {
      const [version, id, iv = '', tag = '', text = ''] = sealed.split('.');
      const found = keys.find((key) => key.id === id);
      if (version !== 'v1' || !found) throw new Error(`no key ${id} for a sealed secret`);
      const decipher = createDecipheriv('aes-256-gcm', found.key, Buffer.from(iv, 'base64url'), {
        authTagLength: 16,
      });
      decipher.setAAD(Buffer.from(place)).setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([
        decipher.update(Buffer.from(text, 'base64url')),
        decipher.final(),
      ]).toString('utf8');
    },
  };
}
