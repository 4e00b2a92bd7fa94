/** What Perch asks for: no more than to write and delete posts and reposts, bring media, and read notifications. */
export const scopes = [
  'atproto',
  'repo:app.bsky.feed.post?action=create&action=delete',
  'repo:app.bsky.feed.repost?action=create&action=delete',
  'blob:*/*',
  'rpc:app.bsky.notification.listNotifications?aud=*',
];
