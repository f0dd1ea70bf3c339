package dev.deliverylab.broker;

import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ShareAcknowledgeResponseData;
import org.apache.kafka.common.message.ShareFetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestUtils;
import org.apache.kafka.common.requests.ResponseHeader;

/**
 * The responses that tell a client where nodes are. They are rewritten so that the client comes
 * back through the relay; all others pass unread.
 *
 * <p>Fetch is not among them although its version 16 names new leaders: a fetch response is large,
 * and would have to be held whole to be read. Instead the client is told that the broker speaks
 * Fetch up to version 15, and learns of a new leader from Metadata as it did before. What 16 and
 * later add is only that hint, and fields for followers.
 */
final class NodeAddresses {

  static final short NEWEST_FETCH = 15;

  private static final Set<ApiKeys> READ =
      EnumSet.of(
          ApiKeys.API_VERSIONS,
          ApiKeys.METADATA,
          ApiKeys.FIND_COORDINATOR,
          ApiKeys.DESCRIBE_CLUSTER,
          ApiKeys.PRODUCE,
          ApiKeys.SHARE_FETCH,
          ApiKeys.SHARE_ACKNOWLEDGE);

  private NodeAddresses() {}

  /** Whether the response to such a request must be rewritten before the client may see it. */
  static boolean namesNodes(short api, short version) {
    return ApiKeys.hasId(api)
        && READ.contains(ApiKeys.forId(api))
        && !(api == ApiKeys.PRODUCE.id && version < 10);
  }

  /**
   * @param response from its header on, without the size in front; its position is moved
   * @param relayed where the relay listens for a node
   * @return the same response with other addresses, from its header on
   */
  static ByteBuffer rewrite(
      short apiId, short version, ByteBuffer response, UnaryOperator<Address> relayed) {
    ApiKeys api = ApiKeys.forId(apiId);
    ByteBuffer untouched = response.duplicate();
    ResponseHeader header = ResponseHeader.parse(response, api.responseHeaderVersion(version));
    if (api == ApiKeys.API_VERSIONS && response.getShort(response.position()) != 0) {
      // An error is answered in version 0, whatever was asked, and names no version of Fetch.
      return untouched;
    }
    ApiMessage body =
        AbstractResponse.parseResponse(api, new ByteBufferAccessor(response), version).data();
    if (body instanceof ApiVersionsResponseData versions) {
      limitFetch(versions);
    } else {
      replace(body, version, relayed);
    }
    return RequestUtils.serialize(header.data(), header.headerVersion(), body, version);
  }

  private static void limitFetch(ApiVersionsResponseData versions) {
    var fetch = versions.apiKeys().find(ApiKeys.FETCH.id);
    if (fetch != null && fetch.maxVersion() > NEWEST_FETCH) {
      fetch.setMaxVersion(NEWEST_FETCH);
    }
  }

  private static void replace(ApiMessage body, short version, UnaryOperator<Address> relayed) {
    if (body instanceof MetadataResponseData metadata) {
      for (var node : metadata.brokers()) {
        Address to = relayed.apply(new Address(node.host(), node.port()));
        node.setHost(to.host()).setPort(to.port());
      }
    } else if (body instanceof DescribeClusterResponseData cluster) {
      for (var node : cluster.brokers()) {
        Address to = relayed.apply(new Address(node.host(), node.port()));
        node.setHost(to.host()).setPort(to.port());
      }
    } else if (body instanceof FindCoordinatorResponseData found) {
      // Up to version 3 one coordinator, later a list. One that was not found has no address.
      if (version <= 3 && found.errorCode() == 0) {
        Address to = relayed.apply(new Address(found.host(), found.port()));
        found.setHost(to.host()).setPort(to.port());
      }
      for (var node : found.coordinators()) {
        if (node.errorCode() == 0) {
          Address to = relayed.apply(new Address(node.host(), node.port()));
          node.setHost(to.host()).setPort(to.port());
        }
      }
    } else if (body instanceof ProduceResponseData produced) {
      for (var node : produced.nodeEndpoints()) {
        Address to = relayed.apply(new Address(node.host(), node.port()));
        node.setHost(to.host()).setPort(to.port());
      }
    } else if (body instanceof ShareFetchResponseData fetched) {
      for (var node : fetched.nodeEndpoints()) {
        Address to = relayed.apply(new Address(node.host(), node.port()));
        node.setHost(to.host()).setPort(to.port());
      }
    } else if (body instanceof ShareAcknowledgeResponseData acknowledged) {
      for (var node : acknowledged.nodeEndpoints()) {
        Address to = relayed.apply(new Address(node.host(), node.port()));
        node.setHost(to.host()).setPort(to.port());
      }
    } else {
      throw new IllegalArgumentException("No node is named in " + body.getClass().getSimpleName());
    }
  }
}
