// Made by `npm run generate -w @perch/sdk` from gateway/openapi.json: change that instead.

import type { OperationGuide } from '../operation.ts';
import type { OperationId } from './operations.ts';

export const guides: Record<OperationId, OperationGuide> = {
  "createPost": {
    "tag": "Posts",
    "summary": "Schedule a post, or publish it at once",
    "description": "Give exactly one of `scheduled_at` (in the future, within 366 days) and `publish_now: true`. The thread must fit the 7 tweets that an account may have on a local day, the posting window of the account, and the rules of its platform. It is charged only after it has gone out.\n\nNeeds the scope `posts:write`.",
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
                    "pattern": "^[^\\u0000]*$",
                    "description": "Text of the post; may be empty only beside media. The platform has a shorter limit of its own."
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
                    "description": "Fetched before the answer; they come after `media_ids`.",
                    "maxItems": 10,
                    "type": "array",
                    "items": {
                      "type": "string",
                      "maxLength": 2048,
                      "pattern": "^[Hh][Tt][Tt][Pp][Ss]:\\/\\/[^\\s/]",
                      "format": "uri",
                      "description": "An HTTPS URL of an image or video; fetched once, now."
                    }
                  }
                },
                "required": [
                  "text"
                ],
                "additionalProperties": false,
                "anyOf": [
                  {
                    "properties": {
                      "text": {
                        "pattern": "[^\\s\\ufeff]"
                      }
                    }
                  },
                  {
                    "required": [
                      "media_ids"
                    ],
                    "properties": {
                      "media_ids": {
                        "minItems": 1
                      }
                    }
                  },
                  {
                    "required": [
                      "media_urls"
                    ],
                    "properties": {
                      "media_urls": {
                        "minItems": 1
                      }
                    }
                  }
                ]
              },
              "description": "A thread, in order."
            },
            "scheduled_at": {
              "type": "string",
              "pattern": "^[1-9][0-9]{3}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|[12][0-9]))T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.[0-9]{3}Z$",
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
                  "maxLength": 10000,
                  "pattern": "^[^\\u0000]*$"
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
          "additionalProperties": false,
          "oneOf": [
            {
              "required": [
                "scheduled_at"
              ],
              "properties": {
                "publish_now": {
                  "const": false
                }
              }
            },
            {
              "required": [
                "publish_now"
              ],
              "properties": {
                "publish_now": {
                  "const": true
                }
              },
              "not": {
                "required": [
                  "scheduled_at"
                ]
              }
            }
          ]
        }
      },
      "required": [
        "body"
      ],
      "additionalProperties": false
    },
    "formFields": {},
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
    "description": "Newest by creation, whatever their status; filters narrow it down.\n\nNeeds the scope `posts:read`.",
    "input": {
      "type": "object",
      "properties": {
        "status": {
          "description": "Only those with this status.",
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
          "description": "Only those of this account.",
          "type": "string",
          "pattern": "^acc_[0-9a-hjkmnp-tv-z]{26}$"
        },
        "scheduled_from": {
          "description": "Due at or after.",
          "type": "string",
          "pattern": "^[1-9][0-9]{3}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|[12][0-9]))T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.[0-9]{3}Z$"
        },
        "scheduled_to": {
          "description": "Due before.",
          "type": "string",
          "pattern": "^[1-9][0-9]{3}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|[12][0-9]))T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.[0-9]{3}Z$"
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
    "formFields": {}
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
                    "pattern": "^[^\\u0000]*$",
                    "description": "Text of the post; may be empty only beside media. The platform has a shorter limit of its own."
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
                    "description": "Fetched before the answer; they come after `media_ids`.",
                    "maxItems": 10,
                    "type": "array",
                    "items": {
                      "type": "string",
                      "maxLength": 2048,
                      "pattern": "^[Hh][Tt][Tt][Pp][Ss]:\\/\\/[^\\s/]",
                      "format": "uri",
                      "description": "An HTTPS URL of an image or video; fetched once, now."
                    }
                  }
                },
                "required": [
                  "text"
                ],
                "additionalProperties": false,
                "anyOf": [
                  {
                    "properties": {
                      "text": {
                        "pattern": "[^\\s\\ufeff]"
                      }
                    }
                  },
                  {
                    "required": [
                      "media_ids"
                    ],
                    "properties": {
                      "media_ids": {
                        "minItems": 1
                      }
                    }
                  },
                  {
                    "required": [
                      "media_urls"
                    ],
                    "properties": {
                      "media_urls": {
                        "minItems": 1
                      }
                    }
                  }
                ]
              },
              "description": "A thread, in order."
            },
            "scheduled_at": {
              "type": "string",
              "pattern": "^[1-9][0-9]{3}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|[12][0-9]))T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.[0-9]{3}Z$",
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
                  "maxLength": 10000,
                  "pattern": "^[^\\u0000]*$"
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
          "additionalProperties": false,
          "oneOf": [
            {
              "required": [
                "scheduled_at"
              ],
              "properties": {
                "publish_now": {
                  "const": false
                }
              }
            },
            {
              "required": [
                "publish_now"
              ],
              "properties": {
                "publish_now": {
                  "const": true
                }
              },
              "not": {
                "required": [
                  "scheduled_at"
                ]
              }
            }
          ]
        }
      },
      "required": [
        "body"
      ],
      "additionalProperties": false
    },
    "formFields": {},
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
                          "pattern": "^[^\\u0000]*$",
                          "description": "Text of the post; may be empty only beside media. The platform has a shorter limit of its own."
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
                          "description": "Fetched before the answer; they come after `media_ids`.",
                          "maxItems": 10,
                          "type": "array",
                          "items": {
                            "type": "string",
                            "maxLength": 2048,
                            "pattern": "^[Hh][Tt][Tt][Pp][Ss]:\\/\\/[^\\s/]",
                            "format": "uri",
                            "description": "An HTTPS URL of an image or video; fetched once, now."
                          }
                        }
                      },
                      "required": [
                        "text"
                      ],
                      "additionalProperties": false,
                      "anyOf": [
                        {
                          "properties": {
                            "text": {
                              "pattern": "[^\\s\\ufeff]"
                            }
                          }
                        },
                        {
                          "required": [
                            "media_ids"
                          ],
                          "properties": {
                            "media_ids": {
                              "minItems": 1
                            }
                          }
                        },
                        {
                          "required": [
                            "media_urls"
                          ],
                          "properties": {
                            "media_urls": {
                              "minItems": 1
                            }
                          }
                        }
                      ]
                    },
                    "description": "A thread, in order."
                  },
                  "scheduled_at": {
                    "type": "string",
                    "pattern": "^[1-9][0-9]{3}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|[12][0-9]))T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.[0-9]{3}Z$",
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
                        "maxLength": 10000,
                        "pattern": "^[^\\u0000]*$"
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
                "additionalProperties": false,
                "oneOf": [
                  {
                    "required": [
                      "scheduled_at"
                    ],
                    "properties": {
                      "publish_now": {
                        "const": false
                      }
                    }
                  },
                  {
                    "required": [
                      "publish_now"
                    ],
                    "properties": {
                      "publish_now": {
                        "const": true
                      }
                    },
                    "not": {
                      "required": [
                        "scheduled_at"
                      ]
                    }
                  }
                ]
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
    "formFields": {},
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
  "advanceTestClock": {
    "tag": "Test mode",
    "summary": "Move all scheduled test posts nearer",
    "description": "With a test key only. What is due by then goes out at once, judged by the clock as you moved it. Scheduled posts move; auto-replies and auto-retweets of posts that are out do not.\n\nNeeds the scope `posts:write`.",
    "input": {
      "type": "object",
      "properties": {
        "body": {
          "type": "object",
          "properties": {
            "seconds": {
              "type": "integer",
              "minimum": 1,
              "maximum": 31622400,
              "description": "How far the clock of all scheduled test posts moves on."
            }
          },
          "required": [
            "seconds"
          ],
          "additionalProperties": false
        }
      },
      "required": [
        "body"
      ],
      "additionalProperties": false
    },
    "formFields": {},
    "example": {
      "seconds": 86400
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
          "type": "string",
          "pattern": "^post_[0-9a-hjkmnp-tv-z]{26}$",
          "description": "A post."
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    },
    "formFields": {}
  },
  "updatePost": {
    "tag": "Posts",
    "summary": "Change a post that is not being sent yet",
    "description": "A field that is absent stays as it is; null removes `auto_reply` or `auto_retweet`. All rules of a new post hold. With `If-Match`, only the version that you saw is changed.\n\nNeeds the scope `posts:write`.",
    "input": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string",
          "pattern": "^post_[0-9a-hjkmnp-tv-z]{26}$",
          "description": "A post."
        },
        "If-Match": {
          "description": "The ETag that the post must still have, or `*`.",
          "format": "etag",
          "examples": [
            "\"v1\"",
            "*"
          ],
          "type": "string",
          "pattern": "^(?:\\*|(?:W\\/)?\"v[0-9]{1,9}\")$"
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
                    "pattern": "^[^\\u0000]*$",
                    "description": "Text of the post; may be empty only beside media. The platform has a shorter limit of its own."
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
                    "description": "Fetched before the answer; they come after `media_ids`.",
                    "maxItems": 10,
                    "type": "array",
                    "items": {
                      "type": "string",
                      "maxLength": 2048,
                      "pattern": "^[Hh][Tt][Tt][Pp][Ss]:\\/\\/[^\\s/]",
                      "format": "uri",
                      "description": "An HTTPS URL of an image or video; fetched once, now."
                    }
                  }
                },
                "required": [
                  "text"
                ],
                "additionalProperties": false,
                "anyOf": [
                  {
                    "properties": {
                      "text": {
                        "pattern": "[^\\s\\ufeff]"
                      }
                    }
                  },
                  {
                    "required": [
                      "media_ids"
                    ],
                    "properties": {
                      "media_ids": {
                        "minItems": 1
                      }
                    }
                  },
                  {
                    "required": [
                      "media_urls"
                    ],
                    "properties": {
                      "media_urls": {
                        "minItems": 1
                      }
                    }
                  }
                ]
              },
              "description": "A thread, in order."
            },
            "scheduled_at": {
              "type": "string",
              "pattern": "^[1-9][0-9]{3}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|[12][0-9]))T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.[0-9]{3}Z$",
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
                      "maxLength": 10000,
                      "pattern": "^[^\\u0000]*$"
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
          "additionalProperties": false,
          "minProperties": 1
        }
      },
      "required": [
        "id",
        "body"
      ],
      "additionalProperties": false
    },
    "formFields": {},
    "example": {
      "scheduled_at": "2026-12-01T10:30:00.000Z"
    }
  },
  "cancelPost": {
    "tag": "Posts",
    "summary": "Cancel a post that is not being sent yet",
    "description": "It stays readable, with the status `cancelled`, and gives its place in the day free. To cancel again has the same answer.\n\nNeeds the scope `posts:write`.",
    "input": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string",
          "pattern": "^post_[0-9a-hjkmnp-tv-z]{26}$",
          "description": "A post."
        },
        "If-Match": {
          "description": "The ETag that the post must still have, or `*`.",
          "format": "etag",
          "examples": [
            "\"v1\"",
            "*"
          ],
          "type": "string",
          "pattern": "^(?:\\*|(?:W\\/)?\"v[0-9]{1,9}\")$"
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    },
    "formFields": {}
  },
  "listPostEvents": {
    "tag": "Posts",
    "summary": "What happened to a post, oldest first",
    "description": "Also what could not be done, and why.\n\nNeeds the scope `posts:read`.",
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
          "type": "string",
          "pattern": "^post_[0-9a-hjkmnp-tv-z]{26}$",
          "description": "A post."
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    },
    "formFields": {}
  },
  "listAccounts": {
    "tag": "Accounts",
    "summary": "List the connected accounts",
    "description": "Those that the key may touch, with how much of their local day is taken.\n\nNeeds the scope `accounts:read`.",
    "input": {
      "type": "object",
      "properties": {},
      "required": [],
      "additionalProperties": false
    },
    "formFields": {}
  },
  "getCredits": {
    "tag": "Credits",
    "summary": "Read the remaining credits and the prices",
    "description": "`available` is `balance` less what posts that are being sent hold. With a test key nothing is ever charged, and the balance stays as it is.\n\nNeeds the scope `credits:read`.",
    "input": {
      "type": "object",
      "properties": {},
      "required": [],
      "additionalProperties": false
    },
    "formFields": {}
  },
  "listCreditEntries": {
    "tag": "Credits",
    "summary": "The ledger, newest first",
    "description": "Entries are never changed; they add up to `balance`.\n\nNeeds the scope `credits:read`.",
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
    "formFields": {}
  },
  "createMedia": {
    "tag": "Media",
    "summary": "Upload an image or video, or have one fetched",
    "description": "Either a form with the part `file` and, before or after it, `alt_text`; or JSON with an HTTPS `url` of a public host. What no post uses is deleted after a day.\n\nNeeds the scope `media:write`.",
    "input": {
      "type": "object",
      "properties": {
        "body": {
          "type": "object",
          "properties": {
            "url": {
              "type": "string",
              "maxLength": 2048,
              "pattern": "^[Hh][Tt][Tt][Pp][Ss]:\\/\\/[^\\s/]",
              "format": "uri",
              "description": "An HTTPS URL of an image or video; fetched once, now."
            },
            "alt_text": {
              "anyOf": [
                {
                  "type": "string",
                  "maxLength": 1000,
                  "pattern": "^[^\\u0000]*$"
                },
                {
                  "type": "null"
                }
              ],
              "description": "What it shows, for those who do not see it."
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
    "formFields": {
      "file": "file",
      "alt_text": "text"
    },
    "example": {
      "url": "https://example.com/picture.png",
      "alt_text": "A lighthouse at dusk."
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
          "type": "string",
          "pattern": "^med_[0-9a-hjkmnp-tv-z]{26}$",
          "description": "An uploaded or imported image or video."
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    },
    "formFields": {}
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
              "maxLength": 200,
              "pattern": "^[^\\u0000]*$"
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
    "formFields": {},
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
    "formFields": {}
  },
  "getWebhookEndpoint": {
    "tag": "Webhooks",
    "summary": "Read a webhook endpoint",
    "description": "Needs the scope `webhooks:manage`.",
    "input": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string",
          "pattern": "^whe_[0-9a-hjkmnp-tv-z]{26}$",
          "description": "A webhook endpoint."
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    },
    "formFields": {}
  },
  "updateWebhookEndpoint": {
    "tag": "Webhooks",
    "summary": "Change a webhook endpoint, or enable it again",
    "description": "Needs the scope `webhooks:manage`.",
    "input": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string",
          "pattern": "^whe_[0-9a-hjkmnp-tv-z]{26}$",
          "description": "A webhook endpoint."
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
              "maxLength": 200,
              "pattern": "^[^\\u0000]*$"
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
          "additionalProperties": false,
          "minProperties": 1
        }
      },
      "required": [
        "id",
        "body"
      ],
      "additionalProperties": false
    },
    "formFields": {},
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
          "type": "string",
          "pattern": "^whe_[0-9a-hjkmnp-tv-z]{26}$",
          "description": "A webhook endpoint."
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    },
    "formFields": {}
  },
  "rotateWebhookSecret": {
    "tag": "Webhooks",
    "summary": "Take a new secret; for a day deliveries are signed by the old one too",
    "description": "Needs the scope `webhooks:manage`.",
    "input": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string",
          "pattern": "^whe_[0-9a-hjkmnp-tv-z]{26}$",
          "description": "A webhook endpoint."
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    },
    "formFields": {}
  },
  "testWebhookEndpoint": {
    "tag": "Webhooks",
    "summary": "Send the event webhook.test",
    "description": "Needs the scope `webhooks:manage`.",
    "input": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string",
          "pattern": "^whe_[0-9a-hjkmnp-tv-z]{26}$",
          "description": "A webhook endpoint."
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    },
    "formFields": {}
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
          "type": "string",
          "pattern": "^whe_[0-9a-hjkmnp-tv-z]{26}$",
          "description": "A webhook endpoint."
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    },
    "formFields": {}
  },
  "replayWebhookDelivery": {
    "tag": "Webhooks",
    "summary": "Send a delivery again",
    "description": "Needs the scope `webhooks:manage`.",
    "input": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string",
          "pattern": "^whd_[0-9a-hjkmnp-tv-z]{26}$",
          "description": "A delivery to a webhook endpoint."
        }
      },
      "required": [
        "id"
      ],
      "additionalProperties": false
    },
    "formFields": {}
  }
};
