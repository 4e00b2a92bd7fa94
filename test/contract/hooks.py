"""What Schemathesis can not know of Perch: times in reach, real images, and rules that JSON Schema can not state."""

import json
import os
from base64 import b64decode
from datetime import UTC, datetime, timedelta
from random import Random
from uuid import uuid4

import schemathesis
from hypothesis import strategies as st
from schemathesis.specs.openapi.checks import use_after_free

PNG = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
GIF = b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")

# Uploads that are what they say, now and then with bytes after their end.
for media_type, file in [("image/png", PNG), ("image/gif", GIF)]:
    schemathesis.openapi.media_type(media_type, st.binary(max_size=64).map(lambda tail, file=file: file + tail))

# URLs of nobody's machine: reserved names, and addresses that Perch must never fetch from.
hosts = st.one_of(
    st.from_regex(r"[a-z][a-z0-9]{0,20}(\.[a-z]{1,10})?\.(invalid|test|example)", fullmatch=True),
    st.sampled_from(["127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "[::1]", "[fd00::1]", "localhost", "0x7f.1", "2130706433"]),
)
schemathesis.openapi.format(
    "uri",
    st.builds(
        lambda user, host, port, path: f"https://{user}{host}{port}/{path}",
        st.sampled_from(["", "", "", "user@", "user:secret@"]),
        hosts,
        st.sampled_from(["", "", ":443", ":5432", ":8080"]),
        st.from_regex(r"[A-Za-z0-9_~-]{0,20}(\.png)?(\?[a-z=&0-9]{0,10})?(#[a-z]{0,5})?", fullmatch=True),
    ),
)

# Without this format, Schemathesis 4.32 draws an invalid `If-Match` and believes it valid: its coverage phase has no
# valid value for a header whose pattern asks for quotes, and puts the first invalid one into requests of valid form.
schemathesis.openapi.format("etag", st.sampled_from(['*', '*', '*', '"v1"', 'W/"v1"', '"v2"', '"v999999999"']))

ACCOUNTS = os.environ["PERCH_CONTRACT_ACCOUNTS"].split(",")
uploaded = []


@schemathesis.hook
def after_call(context, case, response):
    """Remembers the images that were taken in."""
    if case.operation.path == "/media" and response.status_code == 201 and response.json()["kind"] == "image":
        uploaded.append(response.json()["id"])


@schemathesis.hook
def before_call(context, case, kwargs):
    """
    Puts what exists into most requests of valid form to make or change a post: accounts, images, a time in reach.
    Else a drawn id or instant would nearly always be refused, and no post ever made.
    """
    unrepeated(case)
    body = case.body
    if case.operation.path.startswith("/webhook_endpoints") and isinstance(body, dict) and "url" in body:
        # An address at which nobody listens: nothing leaves the machine.
        if case.meta and case.meta.generation.mode.is_positive and Random(json.dumps(body)).random() > 0.1:
            case.body = {**body, "url": "http://localhost:9/perch"}
        return
    if not case.operation.path.startswith("/posts") or not isinstance(body, dict):
        return
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    random = Random(json.dumps(body))
    if random.random() < 0.1:
        return
    body = {**body}
    if "account_id" in body and body["account_id"] not in ACCOUNTS:
        body["account_id"] = random.choice(ACCOUNTS)
    if "scheduled_at" in body:
        due = datetime.now(UTC) + timedelta(days=1, seconds=random.randrange(360 * 86_400))
        body["scheduled_at"] = due.strftime("%Y-%m-%dT%H:%M:%S.000Z")
    if "tweets" in body:
        body["tweets"] = [attainable(tweet, random) for tweet in body["tweets"]]
    case.body = body


def unrepeated(case):
    """Short keys are drawn again and again, and with another body they are refused: most get an end of their own."""
    headers = case.headers or {}
    key = headers.get("Idempotency-Key")
    if key and case.meta and case.meta.generation.mode.is_positive and Random(f"{key}{case.body}").random() > 0.1:
        headers["Idempotency-Key"] = f"{key[:200]}-{uuid4()}"


def attainable(tweet, random):
    """The tweet with media that exist, in a number that platforms take."""
    tweet = {**tweet}
    if tweet["text"].strip():
        tweet.pop("media_urls", None)
    if uploaded and tweet.get("media_ids"):
        tweet["media_ids"] = random.sample(uploaded, min(len(uploaded), len(tweet["media_ids"]), 4))
    return tweet


# Rules that no schema of a request can state, by the code that the answer carries.
KNOWN_REASONS = {
    "invalid_cursor": "a cursor is opaque, only the list that gave it knows it",
    "precondition_failed": "the version is the post's of this moment",
    "insufficient_credits": "the balance is not in the request",
    "outside_posting_window": "the window is the account's",
    "webhook_url_rejected": "what a host resolves to is not in the URL's form",
    "idempotency_key_reused": "the key was drawn before, for another request",
    "media_url_rejected": "what a host answers, and whether it may be asked, is not in the URL's form",
    "unsupported_media_type": "an upload's type is told by its bytes",
}
# The same for single fields of `validation_failed` and `invalid_request`.
KNOWN_FIELD_REASONS = {
    "in_past": "depends on the clock",
    "too_far": "depends on the clock",
    "no_such_date": "29 February depends on the year",
    "exceeds_daily_limit": "threads are stored up to 25, the day's limit is the account's",
    "too_long": "the platform weighs characters and URLs",
    "media_mix": "depends on the types of the media",
    "media_too_large": "depends on the media's bytes",
    "not_found": "whether a medium exists is not in its id",
    "not_well_formed": "no pattern can name halves of surrogate pairs",
}


@schemathesis.check
def refused_for_a_known_reason(ctx, response, case):
    """A request of valid form is refused by nothing but a rule beyond its form."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if response.status_code not in (400, 402, 412, 415, 422):
        return
    problem = response.json()
    if problem["code"] in KNOWN_REASONS:
        return
    reasons = {error["code"] for error in problem.get("errors", [])}
    assert reasons and reasons <= KNOWN_FIELD_REASONS.keys(), (
        f"valid by the schema, refused by {problem['code']} {sorted(reasons)}: {problem['detail']}"
    )


@schemathesis.check
def freed_is_gone(ctx, response, case):
    """`use_after_free`, but for posts: DELETE cancels one, which stays readable with its timeline (seed §4)."""
    if not case.operation.path.startswith("/posts/{id}"):
        return use_after_free(ctx, response, case)


cancelled = set()


@schemathesis.check
def cancelled_stays_cancelled(ctx, response, case):
    """What is true of posts instead: what DELETE has cancelled stays cancelled, and is never changed."""
    if case.operation.path != "/posts/{id}" or response.status_code != 200:
        return
    post = response.json()
    if response.request.method == "DELETE":
        assert post["status"] == "cancelled"
        cancelled.add(post["id"])
    elif response.request.method == "GET" and post["id"] in cancelled:
        assert post["status"] == "cancelled"
    else:
        assert post["id"] not in cancelled, f"{post['id']} was cancelled, and changed afterwards"


@schemathesis.check
def failures_are_problems(ctx, response, case):
    """Every failure, from any layer, is a problem with a code, and names the request."""
    if response.status_code < 400 or response.request.method == "HEAD":
        return
    assert response.headers["content-type"][0].startswith("application/problem+json")
    problem = response.json()
    assert problem["status"] == response.status_code and problem["code"]
    assert problem["request_id"] == response.headers["x-request-id"][0]
