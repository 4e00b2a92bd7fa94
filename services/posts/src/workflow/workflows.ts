// The workflow types that the posts worker knows, by name.
export { autoReply } from './auto-reply.ts';
export { autoRetweet } from './auto-retweet.ts';
export { deliverWebhook } from './deliver-webhook.ts';
export { publishPost } from './publish-post.ts';
