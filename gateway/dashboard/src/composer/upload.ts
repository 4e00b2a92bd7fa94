/** What came of an upload. */
export type Uploaded = { mediaId: string } | { why: string };

/**
 * Uploads a file, telling how much of it is gone, from 0 to 1. It resolves with what the server says, also when
 * it refuses; `XMLHttpRequest`, for `fetch` does not tell how much is sent.
 */
export function upload(file: File, onProgress: (part: number) => void): Promise<Uploaded> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/app/media');
    request.setRequestHeader('Idempotency-Key', crypto.randomUUID());
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total > 0 ? loaded / total : 0),
    );
    request.addEventListener('load', () => resolve(answer(request.status, request.response)));
    request.addEventListener('error', () => resolve({ why: 'The connection broke off.' }));
    const form = new FormData();
    form.append('file', file);
    request.send(form);
  });
}

function answer(status: number, body: unknown): Uploaded {
  const fields: Record<string, unknown> = typeof body === 'object' && body ? { ...body } : {};
  const { id, detail, title } = fields;
  if (status === 201 && typeof id === 'string') return { mediaId: id };
  const why = [detail, title].find((text) => typeof text === 'string');
  return { why: typeof why === 'string' ? why : `It was refused (${status}).` };
}
