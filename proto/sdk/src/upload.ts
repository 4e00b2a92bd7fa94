/** Bytes to upload: a `Blob`, which can be sent again, or a stream, which is sent once. */
export type Upload = Blob | StreamUpload;

/** Bytes that come as they are read. */
export interface StreamUpload {
  /** A web `ReadableStream`, a Node stream, or a generator. */
  stream: AsyncIterable<Uint8Array>;
  /** The media type. */
  type: string;
  name?: string;
}

/** A form on its way out. */
export interface FormBody {
  body: FormData | ReadableStream<Uint8Array>;
  /** Only where `fetch` can not tell it. */
  contentType: string | null;
}

/** Whether it can only be sent once. */
export function isStream(upload: unknown): upload is StreamUpload {
  return (
    typeof upload === 'object' && upload !== null && 'stream' in upload && !(upload instanceof Blob)
  );
}

/** The fields as a multipart form; with a stream among them it is written as it is read. */
export function formOf(fields: Record<string, unknown>): FormBody {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (entries.some(([, upload]) => isStream(upload))) return streamed(entries);
  const body = new FormData();
  for (const [name, value] of entries) {
    if (value instanceof Blob) body.append(name, value, fileName(value) ?? name);
    else body.append(name, String(value));
  }
  return { body, contentType: null };
}

function streamed(entries: [string, unknown][]): FormBody {
  const boundary = `perch-${crypto.randomUUID()}`;
  const text = new TextEncoder();
  async function* parts(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for (const [name, value] of entries) {
      const file = fileOf(name, value);
      const disposition = `form-data; name="${quoted(name)}"${file ? `; filename="${quoted(file.name)}"` : ''}`;
      const type = file ? `\r\nContent-Type: ${file.type.replaceAll(/[\r\n]/g, '')}` : '';
      yield text.encode(`--${boundary}\r\nContent-Disposition: ${disposition}${type}\r\n\r\n`);
      if (file) for await (const chunk of file.stream) yield new Uint8Array(chunk);
      else yield text.encode(String(value));
      yield text.encode('\r\n');
    }
    yield text.encode(`--${boundary}--\r\n`);
  }
  const contentType = `multipart/form-data; boundary=${boundary}`;
  return { body: ReadableStream.from(parts()), contentType };
}

/** What is sent as a file; null for a plain field. */
function fileOf(field: string, value: unknown): Required<StreamUpload> | null {
  if (value instanceof Blob) {
    return { stream: value.stream(), type: value.type, name: fileName(value) ?? field };
  }
  return isStream(value) ? { ...value, name: value.name ?? field } : null;
}

/** As browsers write it (HTML, multipart/form-data encoding). */
function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function fileName(blob: Blob): string | undefined {
  return blob instanceof File ? blob.name : undefined;
}
