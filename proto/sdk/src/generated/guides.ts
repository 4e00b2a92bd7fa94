// Made by `npm run generate -w @perch/sdk` from gateway/openapi.json: change that instead.

import type { OperationGuide } from '../operation.ts';
import type { OperationId } from './operations.ts';

export const guides: Record<OperationId, OperationGuide> = {
  "createPost": {
    "tag": "Posts",
    "summary": "Schedule a post, or publish it at once",
    "description": "Needs the scope `posts:write`.",
    "input": {
      "type": "object",
      "properties": {
        "body": {
          "type": "object",
          "properties": {
            "account_id": {
              "type": "string",
              "pattern": "^acc_[0-9a-hjkmnp-tv-z]{26}$",
              "description": "A connected social account (seed §2)."
            },
            "tweets": {
              "minItems": 1,
              "maxItems": 25,
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "text": {
                    "type": "string",
                    "maxLength": 10000,
                    "description": "Text of the post; may be empty only beside media."
                  },
                  "media_ids": {
                    "description": "From `POST /media`.",
                    "maxItems": 10,
                    "type": "array",
                    "items": {
                      "type": "string",
                      "pattern": "^med_[0-9a-hjkmnp-tv-z]{26}$",
                      "description": "An uploaded or imported image or video."
                    }
                  },
                  "media_urls": {
                    "maxItems": 10,
                    "type": "array",
                    "items": {
                      "type": "string",
                      "maxLength": 2048,
                      "format": "uri",
                      "description": "An HTTPS URL of an image or video; fetched once, now."
                    }
                  }
                },
                "required": [
                  "text"
                ],
                "additionalProperties": false
              },
              "description": "A thread, in order."
            },
            "scheduled_at": {
              "type": "string",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
              "description": "ISO 8601, UTC, milliseconds: `YYYY-MM-DDTHH:MM:SS.mmmZ`."
            },
            "publish_now": {
              "description": "`true` publishes at once (seed §4.1).",
              "type": "boolean"
            },
            "auto_reply": {
              "type": "object",
              "properties": {
                "enabled": {
                  "type": "boolean"
                },
                "max": {
                  "default": 10,
                  "description": "How many replies at the most.",
                  "type": "integer",
                  "minimum": 1,
                  "maximum": 100
                },
                "text": {
                  "description": "Else the account's template from the dashboard.",
                  "type": "string",
                  "minLength": 1,
                  "maxLength": 10000
                }
              },
              "required": [
                "enabled"
              ],
              "additionalProperties": false
            },
            "auto_retweet": {
              "type": "object",
              "properties": {
                "enabled": {
                  "type": "boolean"
                },
                "after_hours": {
                  "default": 24,
                  "description": "Hours from `posted_at`.",
                  "type": "integer",
                  "minimum": 1,
                  "maximum": 168
                }
              },
              "required": [
                "enabled"
              ],
              "additionalProperties": false
            }
          },
          "required": [
            "account_id",
            "tweets"
          ],
          "additionalProperties": false
        }
      },
      "required": [
        "body"
      ],
      "additionalProperties": false
    },
    "formFields": [],
    "example": {
      "account_id": "acc_01jd0000000000000000000000",
      "tweets": [
        {
          "text": "Good morning"
        },
        {
          "text": "A thread, in order"
        }
      ],
      "scheduled_at": "2026-12-01T09:00:00.000Z",
      "auto_retweet": {
        "enabled": true,
        "after_hours": 12
      }
    }
  },
  "listPosts": {
    "tag": "Posts",
    "summary": "List posts, newest first",
    "description": "Needs the scope `posts:read`.",
    "input": {
      "type": "object",
      "properties": {
        "status": {
          "type": "string",
          "enum": [
            "scheduled",
            "publishing",
            "posted",
            "cancelled",
            "failed"
          ]
        },
        "account_id": {
          "type": "string",
          "pattern": "^acc_[0-9a-hjkmnp-tv-z]{26}$",
          "description": "A connected social account (seed §2)."
        },
        "scheduled_from": {
          "description": "Due at or after.",
          "type": "string",
          "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
        },
        "scheduled_to": {
          "description": "Due before.",
          "type": "string",
          "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
        },
        "limit": {
          "description": "Items on the page; more than 100 are cut to that.",
          "type": "integer",
          "minimum": 1,
          "maximum": 9007199254740991
        },
        "cursor": {
          "description": "The `next_cursor` of the page before.",
          "type": "string",
          "maxLength": 512
        }
      },
      "required": [],
      "additionalProperties": false
    },
    "formFields": []
  },
  "validatePost": {
    "tag": "Posts",
    "summary": "Rehearse a post: every issue, its price, and the next time that is legal",
    "description": "Needs the scope `posts:write`.",
    "input": {
      "type": "object",
      "properties": {
        "body": {
          "type": "object",
          "properties": {
            "account_id": {
              "type": "string",
              "pattern": "^acc_[0-9a-hjkmnp-tv-z]{26}$",
              "description": "A connected social account (seed §2)."
            },
            "tweets": {
              "minItems": 1,
              "maxItems": 25,
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "text": {
                    "type": "string",
                    "maxLength": 10000,
                    "description": "Text of the post; may be empty only beside media."
                  },
                  "media_ids": {
                    "description": "From `POST /media`.",
                    "maxItems": 10,
                    "type": "array",
                    "items": {
                      "type": "string",
                      "pattern": "^med_[0-9a-hjkmnp-tv-z]{26}$",
                      "description": "An uploaded or imported image or video."
                    }
                  },
                  "media_urls": {
                    "maxItems": 10,
                    "type": "array",
                    "items": {
                      "type": "string",
                      "maxLength": 2048,
                      "format": "uri",
                      "description": "An HTTPS URL of an image or video; fetched once, now."
                    }
                  }
                },
                "required": [
                  "text"
                ],
                "additionalProperties": false
              },
              "description": "A thread, in order."
            },
            "scheduled_at": {
              "type": "string",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
              "description": "ISO 8601, UTC, milliseconds: `YYYY-MM-DDTHH:MM:SS.mmmZ`."
            },
            "publish_now": {
              "description": "`true` publishes at once (seed §4.1).",
              "type": "boolean"
            },
            "auto_reply": {
              "type": "object",
              "properties": {
                "enabled": {
                  "type": "boolean"
                },
                "max": {
                  "default": 10,
                  "description": "How many replies at the most.",
                  "type": "integer",
                  "minimum": 1,
                  "maximum": 100
                },
                "text": {
                  "description": "Else the account's template from the dashboard.",
                  "type": "string",
                  "minLength": 1,
                  "maxLength": 10000
                }
              },
              "required": [
                "enabled"
              ],
              "additionalProperties": false
            },
            "auto_retweet": {
              "type": "object",
              "properties": {
                "enabled": {
                  "type": "boolean"
                },
                "after_hours": {
                  "default": 24,
                  "description": "Hours from `posted_at`.",
                  "type": "integer",
                  "minimum": 1,
                  "maximum": 168
                }
              },
              "required": [
                "enabled"
              ],
              "additionalProperties": false
            }
          },
          "required": [
            "account_id",
            "tweets"
          ],
          "additionalProperties": false
        }
      },
      "required": [
        "body"
      ],
      "additionalProperties": false
    },
    "formFields": [],
    "example": {
      "account_id": "acc_01jd0000000000000000000000",
      "tweets": [
        {
          "text": "Good morning"
        },
        {
          "text": "A thread, in order"
        }
      ],
      "scheduled_at": "2026-12-01T09:00:00.000Z",
      "auto_retweet": {
        "enabled": true,
        "after_hours": 12
      }
    }
  },
  "simulateSchedule": {
    "tag": "Posts",
    "summary": "Rehearse a whole schedule: what window, day limit and credits would do to each post",
    "description": "Needs the scope `posts:write`.",
    "input": {
      "type": "object",
      "properties": {
        "body": {
          "type": "object",
          "properties": {
            "posts": {
              "minItems": 1,
              "maxItems": 50,
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "account_id": {
                    "type": "string",
                    "pattern": "^acc_[0-9a-hjkmnp-tv-z]{26}$",
                    "description": "A connected social account (seed §2)."
                  },
                  "tweets": {
                    "minItems": 1,
                    "maxItems": 25,
                    "type": "array",
                    "items": {
                      "type": "object",
                      "properties": {
                        "text": {
                          "type": "string",
                          "maxLength": 10000,
                          "description": "Text of the post; may be empty only beside media."
                        },
                        "media_ids": {
                          "description": "From `POST /media`.",
                          "maxItems": 10,
                          "type": "array",
                          "items": {
                            "type": "string",
                            "pattern": "^med_[0-9a-hjkmnp-tv-z]{26}$",
                            "description": "An uploaded or imported image or video."
                          }
                        },
                        "media_urls": {
                          "maxItems": 10,
                          "type": "array",
                          "items": {
                            "type": "string",
                            "maxLength": 2048,
                            "format": "uri",
                            "description": "An HTTPS URL of an image or video; fetched once, now."
                          }
                        }
                      },
                      "required": [
                        "text"
                      ],
                      "additionalProperties": false
                    },
                    "description": "A thread, in order."
                  },
                  "scheduled_at": {
                    "type": "string",
                    "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
                    "description": "ISO 8601, UTC, milliseconds: `YYYY-MM-DDTHH:MM:SS.mmmZ`."
                  },
                  "publish_now": {
                    "description": "`true` publishes at once (seed §4.1).",
                    "type": "boolean"
                  },
                  "auto_reply": {
                    "type": "object",
                    "properties": {
                      "enabled": {
                        "type": "boolean"
                      },
                      "max": {
                        "default": 10,
                        "description": "How many replies at the most.",
                        "type": "integer",
                        "minimum": 1,
                        "maximum": 100
                      },
                      "text": {
                        "description": "Else the account's template from the dashboard.",
                        "type": "string",
                        "minLength": 1,
                        "maxLength": 10000
                      }
                    },
                    "required": [
                      "enabled"
                    ],
                    "additionalProperties": false
                  },
                  "auto_retweet": {
                    "type": "object",
                    "properties": {
                      "enabled": {
                        "type": "boolean"
                      },
                      "after_hours": {
                        "default": 24,
                        "description": "Hours from `posted_at`.",
                        "type": "integer",
                        "minimum": 1,
                        "maximum": 168
                      }
                    },
                    "required": [
                      "enabled"
                    ],
                    "additionalProperties": false
                  }
                },
                "required": [
                  "account_id",
                  "tweets"
                ],
                "additionalProperties": false
              }
            }
          },
          "required": [
            "posts"
          ],
          "additionalProperties": false
        }
      },
      "required": [
        "body"
      ],
      "additionalProperties": false
    },
    "formFields": [],
    "example": {
      "posts": [
        {
          "account_id": "acc_01jd0000000000000000000000",
          "tweets": [
            {
              "text": "Good morning"
            },
            {
              "text": "A thread, in order"
            }
          ],
          "scheduled_at": "2026-12-01T09:00:00.000Z",
          "auto_retweet": {
            "enabled": true,
            "after_hours": 12
          }
        }
      ]
    }
  },
  "getPost": {
    "tag": "Posts",
    "summary": "Read a post",
    "description": "Needs the scope `posts:read`.",
    "input": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    },
    "formFields": []
  },
  "updatePost": {
    "tag": "Posts",
    "summary": "Change a post that is not being sent yet",
    "description": "Needs the scope `posts:write`.",
    "input": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        },
        "If-Match": {
          "description": "The ETag that the post must still have.",
          "type": "string"
        },
        "body": {
          "type": "object",
          "properties": {
            "tweets": {
              "minItems": 1,
              "maxItems": 25,
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "text": {
                    "type": "string",
                    "maxLength": 10000,
                    "description": "Text of the post; may be empty only beside media."
                  },
                  "media_ids": {
                    "description": "From `POST /media`.",
                    "maxItems": 10,
                    "type": "array",
                    "items": {
                      "type": "string",
                      "pattern": "^med_[0-9a-hjkmnp-tv-z]{26}$",
                      "description": "An uploaded or imported image or video."
                    }
                  },
                  "media_urls": {
                    "maxItems": 10,
                    "type": "array",
                    "items": {
                      "type": "string",
                      "maxLength": 2048,
                      "format": "uri",
                      "description": "An HTTPS URL of an image or video; fetched once, now."
                    }
                  }
                },
                "required": [
                  "text"
                ],
                "additionalProperties": false
              },
              "description": "A thread, in order."
            },
            "scheduled_at": {
              "type": "string",
              "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
              "description": "ISO 8601, UTC, milliseconds: `YYYY-MM-DDTHH:MM:SS.mmmZ`."
            },
            "auto_reply": {
              "anyOf": [
                {
                  "type": "object",
                  "properties": {
                    "enabled": {
                      "type": "boolean"
                    },
                    "max": {
                      "default": 10,
                      "description": "How many replies at the most.",
                      "type": "integer",
                      "minimum": 1,
                      "maximum": 100
                    },
                    "text": {
                      "description": "Else the account's template from the dashboard.",
                      "type": "string",
                      "minLength": 1,
                      "maxLength": 10000
                    }
                  },
                  "required": [
                    "enabled"
                  ],
                  "additionalProperties": false
                },
                {
                  "type": "null"
                }
              ]
            },
            "auto_retweet": {
              "anyOf": [
                {
                  "type": "object",
                  "properties": {
                    "enabled": {
                      "type": "boolean"
                    },
                    "after_hours": {
                      "default": 24,
                      "description": "Hours from `posted_at`.",
                      "type": "integer",
                      "minimum": 1,
                      "maximum": 168
                    }
                  },
                  "required": [
                    "enabled"
                  ],
                  "additionalProperties": false
                },
                {
                  "type": "null"
                }
              ]
            }
          },
          "additionalProperties": false
        }
      },
      "required": [
        "id",
        "body"
      ],
      "additionalProperties": false
    },
    "formFields": [],
    "example": {
      "scheduled_at": "2026-12-01T10:30:00.000Z"
    }
  },
  "cancelPost": {
    "tag": "Posts",
    "summary": "Cancel a post that is not being sent yet",
    "description": "Needs the scope `posts:write`.",
    "input": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        },
        "If-Match": {
          "description": "The ETag that the post must still have.",
          "type": "string"
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    },
    "formFields": []
  },
  "listPostEvents": {
    "tag": "Posts",
    "summary": "What happened to a post, oldest first",
    "description": "Needs the scope `posts:read`.",
    "input": {
      "type": "object",
      "properties": {
        "limit": {
          "description": "Items on the page; more than 100 are cut to that.",
          "type": "integer",
          "minimum": 1,
          "maximum": 9007199254740991
        },
        "cursor": {
          "description": "The `next_cursor` of the page before.",
          "type": "string",
          "maxLength": 512
        },
        "id": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    },
    "formFields": []
  },
  "listAccounts": {
    "tag": "Accounts",
    "summary": "List the connected accounts",
    "description": "Needs the scope `accounts:read`.",
    "input": {
      "type": "object",
      "properties": {},
      "required": [],
      "additionalProperties": false
    },
    "formFields": []
  },
  "getCredits": {
    "tag": "Credits",
    "summary": "Read the remaining credits and the prices",
    "description": "Needs the scope `credits:read`.",
    "input": {
      "type": "object",
      "properties": {},
      "required": [],
      "additionalProperties": false
    },
    "formFields": []
  },
  "listCreditEntries": {
    "tag": "Credits",
    "summary": "The ledger, newest first",
    "description": "Needs the scope `credits:read`.",
    "input": {
      "type": "object",
      "properties": {
        "limit": {
          "description": "Items on the page; more than 100 are cut to that.",
          "type": "integer",
          "minimum": 1,
          "maximum": 9007199254740991
        },
        "cursor": {
          "description": "The `next_cursor` of the page before.",
          "type": "string",
          "maxLength": 512
        }
      },
      "required": [],
      "additionalProperties": false
    },
    "formFields": []
  },
  "createMedia": {
    "tag": "Media",
    "summary": "Upload an image or video, or have one fetched",
    "description": "Needs the scope `media:write`.",
    "input": {
      "type": "object",
      "properties": {
        "body": {
          "type": "object",
          "properties": {
            "url": {
              "type": "string",
              "maxLength": 2048,
              "format": "uri",
              "description": "An HTTPS URL of an image or video; fetched once, now."
            }
          },
          "required": [
            "url"
          ],
          "additionalProperties": false
        }
      },
      "required": [
        "body"
      ],
      "additionalProperties": false
    },
    "formFields": [
      "file"
    ],
    "example": {
      "url": "https://example.com/picture.png"
    }
  },
  "getMedia": {
    "tag": "Media",
    "summary": "Read what is known of an image or video",
    "description": "Needs the scope `media:write`.",
    "input": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    },
    "formFields": []
  },
  "createWebhookEndpoint": {
    "tag": "Webhooks",
    "summary": "Have events sent to a URL",
    "description": "Needs the scope `webhooks:manage`.",
    "input": {
      "type": "object",
      "properties": {
        "body": {
          "type": "object",
          "properties": {
            "url": {
              "type": "string",
              "maxLength": 2048,
              "format": "uri",
              "description": "HTTPS, on the public internet."
            },
            "description": {
              "default": "",
              "type": "string",
              "maxLength": 200
            },
            "events": {
              "default": null,
              "anyOf": [
                {
                  "minItems": 1,
                  "type": "array",
                  "items": {
                    "type": "string",
                    "enum": [
                      "post.scheduled",
                      "post.posted",
                      "post.failed",
                      "post.cancelled",
                      "post.auto_replied",
                      "post.auto_retweeted",
                      "account.disconnected",
                      "credits.low",
                      "webhook_endpoint.disabled",
                      "webhook.test"
                    ]
                  }
                },
                {
                  "type": "null"
                }
              ]
            }
          },
          "required": [
            "url"
          ],
          "additionalProperties": false
        }
      },
      "required": [
        "body"
      ],
      "additionalProperties": false
    },
    "formFields": [],
    "example": {
      "url": "https://example.com/perch",
      "events": [
        "post.posted",
        "post.failed"
      ]
    }
  },
  "listWebhookEndpoints": {
    "tag": "Webhooks",
    "summary": "List webhook endpoints",
    "description": "Needs the scope `webhooks:manage`.",
    "input": {
      "type": "object",
      "properties": {},
      "required": [],
      "additionalProperties": false
    },
    "formFields": []
  },
  "getWebhookEndpoint": {
    "tag": "Webhooks",
    "summary": "Read a webhook endpoint",
    "description": "Needs the scope `webhooks:manage`.",
    "input": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    },
    "formFields": []
  },
  "updateWebhookEndpoint": {
    "tag": "Webhooks",
    "summary": "Change a webhook endpoint, or enable it again",
    "description": "Needs the scope `webhooks:manage`.",
    "input": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        },
        "body": {
          "type": "object",
          "properties": {
            "url": {
              "type": "string",
              "maxLength": 2048,
              "format": "uri",
              "description": "HTTPS, on the public internet."
            },
            "description": {
              "type": "string",
              "maxLength": 200
            },
            "events": {
              "anyOf": [
                {
                  "minItems": 1,
                  "type": "array",
                  "items": {
                    "type": "string",
                    "enum": [
                      "post.scheduled",
                      "post.posted",
                      "post.failed",
                      "post.cancelled",
                      "post.auto_replied",
                      "post.auto_retweeted",
                      "account.disconnected",
                      "credits.low",
                      "webhook_endpoint.disabled",
                      "webhook.test"
                    ]
                  }
                },
                {
                  "type": "null"
                }
              ]
            },
            "status": {
              "type": "string",
              "enum": [
                "enabled",
                "disabled"
              ]
            }
          },
          "additionalProperties": false
        }
      },
      "required": [
        "id",
        "body"
      ],
      "additionalProperties": false
    },
    "formFields": [],
    "example": {
      "status": "enabled"
    }
  },
  "deleteWebhookEndpoint": {
    "tag": "Webhooks",
    "summary": "Delete a webhook endpoint and its log",
    "description": "Needs the scope `webhooks:manage`.",
    "input": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    },
    "formFields": []
  },
  "rotateWebhookSecret": {
    "tag": "Webhooks",
    "summary": "Take a new secret; for a day deliveries are signed by the old one too",
    "description": "Needs the scope `webhooks:manage`.",
    "input": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    },
    "formFields": []
  },
  "testWebhookEndpoint": {
    "tag": "Webhooks",
    "summary": "Send the event webhook.test",
    "description": "Needs the scope `webhooks:manage`.",
    "input": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    },
    "formFields": []
  },
  "listWebhookDeliveries": {
    "tag": "Webhooks",
    "summary": "What was sent to an endpoint, and what it answered, newest first",
    "description": "Needs the scope `webhooks:manage`.",
    "input": {
      "type": "object",
      "properties": {
        "status": {
          "type": "string",
          "enum": [
            "pending",
            "delivered",
            "failed"
          ]
        },
        "limit": {
          "description": "Items on the page; more than 100 are cut to that.",
          "type": "integer",
          "minimum": 1,
          "maximum": 9007199254740991
        },
        "cursor": {
          "description": "The `next_cursor` of the page before.",
          "type": "string",
          "maxLength": 512
        },
        "id": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    },
    "formFields": []
  },
  "replayWebhookDelivery": {
    "tag": "Webhooks",
    "summary": "Send a delivery again",
    "description": "Needs the scope `webhooks:manage`.",
    "input": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    },
    "formFields": []
  }
};
