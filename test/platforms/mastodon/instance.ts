/** An account of the stand-in. */
export interface Person {
  id: string;
  username: string;
  display_name: string;
  bot: boolean;
}

/** A post of the stand-in. */
export interface Post {
  id: string;
  by: Person;
  text: string;
  createdMs: number;
  inReplyTo: string | null;
  mediaIds: string[];
  application: string | null;
  /** When its author changed the text. */
  editedMs: number | null;
  visibility: 'public' | 'direct';
}

/** An upload to the stand-in. */
export interface Media {
  id: string;
  by: Person;
  type: string;
  bytes: number;
  description: string | null;
  /** How often it must still be asked for before it is processed. */
  asksLeft: number;
}

/** What the stand-in knows, and how it is to behave; tests change it as they like. */
export interface Instance {
  clock: () => number;
  people: Map<string, Person>;
  apps: Map<string, { secret: string; redirectUri: string; scopes: string[]; name: string }>;
  codes: Map<string, Code>;
  tokens: Map<string, { person: Person | null; scopes: string[]; app: string }>;
  posts: Post[];
  media: Map<string, Media>;
  boosts: { id: string; of: string; by: string }[];
  mentions: { id: string; to: string; post: Post }[];
  keys: Map<string, { postId: string; untilMs: number }>;
  /** How long an Idempotency-Key is kept; Mastodon: an hour. */
  keyKeptMs: number;
  /** How often media must be asked for before they are processed. */
  asks: number;
  /** Scopes that people refuse on the consent page. */
  refusedScopes: string[];
  /** Whether it tells of PKCE and the scope `profile`, as 4.3 and later do. */
  modern: boolean;
  /** Posts that an account may still make, and when there are more. */
  limit: { remaining: number; resetMs: number };
  maxCharacters: number;
}

/** What a person agreed to. */
export interface Code {
  clientId: string;
  redirectUri: string;
  scopes: string[];
  challenge: string | null;
  person: Person;
}

/** An instance with nobody on it. */
export function emptyInstance(clock: () => number): Instance {
  return {
    clock,
    people: new Map(),
    apps: new Map(),
    codes: new Map(),
    tokens: new Map(),
    posts: [],
    media: new Map(),
    boosts: [],
    mentions: [],
    keys: new Map(),
    keyKeptMs: 3_600_000,
    asks: 0,
    refusedScopes: [],
    modern: true,
    limit: { remaining: 300, resetMs: clock() + 10_800_000 },
    maxCharacters: 500,
  };
}

let issued = 0;

/** Ids in the order they were made, like Mastodon's. */
export function nextId(clock: () => number): string {
  issued += 1;
  return String(clock() * 1_000 + (issued % 1_000));
}

/** Someone new. */
export function addPerson(instance: Instance, bot = false): Person {
  const id = nextId(instance.clock);
  const person = { id, username: `user${id}`, display_name: `User ${id}`, bot };
  instance.people.set(person.username, person);
  return person;
}

/** Someone answers a post, and its author hears of it. */
export function answerPost(
  instance: Instance,
  by: Person,
  to: Post,
  text: string,
  visibility: Post['visibility'] = 'public',
): Post {
  const post: Post = {
    id: nextId(instance.clock),
    by,
    text,
    createdMs: instance.clock(),
    inReplyTo: to.id,
    mediaIds: [],
    application: null,
    editedMs: null,
    visibility,
  };
  instance.posts.push(post);
  instance.mentions.push({ id: nextId(instance.clock), to: to.by.id, post });
  return post;
}
