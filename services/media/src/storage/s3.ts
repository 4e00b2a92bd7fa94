import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { Storage } from './storage.ts';

/** Media in a bucket of an S3-compatible store. */
export function openS3(options: {
  bucket: string;
  region: string;
  endpoint: string | undefined;
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
}): Storage {
  const { bucket: Bucket, region, endpoint, credentials } = options;
  const client = new S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
  });
  return {
    put: async (Key, bytes) => {
      // Parts of 8 MB, two at a time: memory stays flat whatever the size.
      const upload = new Upload({
        client,
        params: { Bucket, Key, Body: bytes },
        partSize: 8_388_608,
        queueSize: 2,
      });
      const failed = new Promise<never>((_, reject) => {
        bytes.once('error', reject);
      });
      try {
        await Promise.race([upload.done(), failed]);
      } catch (error) {
        await upload.abort().catch(() => undefined);
        throw error;
      }
    },
    get: async (Key, range) => {
      const Range = range && `bytes=${range.start}-${range.end - 1}`;
      const asked = new GetObjectCommand({ Bucket, Key, ...(Range && { Range }) });
      const { Body } = await client.send(asked);
      if (!(Body instanceof Readable)) throw new Error(`no bytes for ${Key}`);
      return Body;
    },
    remove: async (Key) => {
      await client.send(new DeleteObjectCommand({ Bucket, Key }));
    },
    check: async () => {
      await client.send(new HeadBucketCommand({ Bucket }));
    },
  };
}
